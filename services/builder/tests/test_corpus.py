from brain.builder.corpus import select
from brain.gitmirror.snapshot import MarkdownEntry


def entries(count: int):
    for number in reversed(range(count)):
        yield MarkdownEntry(f"{number:05}.md".encode(), 0o100644, f"{number:040x}", "file", 10)


def test_of_20_001_documents_the_first_20_000_by_path_are_indexed():
    selection = select(entries(20_001))

    assert len(selection.included) == 20_000
    assert selection.included[0][0] == "00000.md"
    assert selection.included[-1][0] == "19999.md"
    assert selection.left_out == {"over-limit": 1}
    assert selection.outside == ["20000.md"]
