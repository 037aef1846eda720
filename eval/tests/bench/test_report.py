from brain.evaluation.bench.report import Report, table
from brain.evaluation.bench.row import Goal, Row, Sample, Size
from brain.evaluation.bench.verdict import result_of

SIZE = Size(documents=2_000, text_bytes=9_400_000, commits=1_200, idle_s=15)


def test_the_table_holds_every_row_with_its_verdict_and_what_went_wrong_below():
    search = Row("search", "a search", "s", "ripgrep", (Goal(0.5),))
    reads = Row("reads", "reads", "/s", "nothing", (Goal(0.4, at_least=True),))
    results = (
        result_of(search, [Sample(0.0123, 0.05)], SIZE),
        result_of(search, [Sample(0.0123, None)], SIZE),
        result_of(reads, [Sample(2_400.0, 6_000.0)], SIZE),
    )

    written = table(Report("notes", SIZE, 5, (0.1, 0.2, 0.3), results))

    assert written == (
        "notes: 2,000 documents, 9.4 MB, 1,200 commits; median of 5\n"
        "\n"
        "              ours      peer  ratio   goal  verdict  compared with\n"
        "a search  0.0123 s    0.05 s   0.25  ≤ 0.5  met      ripgrep\n"
        "a search  0.0123 s         -      -  ≤ 0.5  no peer  ripgrep\n"
        "reads     2,400 /s  6,000 /s   0.40  ≥ 0.4  met      nothing\n"
        "\n"
        "search: ripgrep is not installed"
    )
