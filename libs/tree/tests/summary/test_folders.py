"""What folders say of themselves."""

import pytest

from brain.tree.summary.children import folder_children
from brain.tree.summary.common_words import common_words
from brain.tree.summary.readme import readme
from brain.tree.summary.subject import Entry, FolderSubject


def document(name: str, title: str = "", summary: str = "") -> Entry:
    return Entry(name, title or name, summary, is_folder=False, document_count=1)


def folder(name: str, only: str = "") -> Entry:
    return Entry(name, name, "", is_folder=True, document_count=1, only_document_title=only)


def subject(*entries: Entry) -> FolderSubject:
    return FolderSubject(entries)


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        (folder("rtn01", "Unopened articles"), "rtn01 (Unopened articles)"),
        (folder("12-node-swap", "KEP-12: Node Swap"), "12-node-swap"),
        (folder("12-swap", "README"), "12-swap"),
        (folder("12-swap", "Memory beyond what there is"), "12-swap (Memory beyond what there is)"),
        (folder("many"), "many"),
        (document("buoy.md"), "buoy"),
        (document("buoy.md", "Buoys"), "Buoys"),
    ],
)
def test_an_entry_is_named_by_what_its_name_does_not_say(entry, name):
    assert folder_children(subject(entry, folder("z"))) == f"{name} · z"


def test_many_entries_are_told_by_the_words_of_their_names():
    names = [f"{n}-{word}-volume" for n, word in enumerate(["csi", "local", "block"] * 10)]
    names += ["99-snapshot-of-volumes"]

    summary = folder_children(subject(*map(folder, names)))

    assert summary.startswith("volume csi local block snapshot: 0-csi-volume .. ")
    assert summary.endswith(" .. 99-snapshot-of-volumes")
    assert len(summary) <= 240


def test_numbered_names_are_told_by_names_that_lie_evenly_over_them():
    entries = [document(f"c{n}.md", f"Error C{n}") for n in range(2000, 2500)]

    summary = folder_children(subject(*entries))

    assert summary.startswith("Error C2000 .. Error C20")
    assert summary.endswith(" .. Error C2499")
    assert len(summary) <= 240


def test_words_of_most_names_come_first():
    names = ["error pod", "error job", "error jobs", "error node", "error buoy"]

    assert common_words(names) == ["error", "job", "pod", "node", "buoy"]


def test_numbers_prefixes_of_numbers_and_empty_words_are_no_words():
    names = ["KEP-1287: In-place update of README.md", "C2001", "12", "x64 code", "über_uns"]

    assert common_words(names) == ["place", "update", "x64", "code", "uns"]


def test_a_readme_says_what_else_the_folder_holds():
    entries = (document("README.md", "R", "How we work"), document("a.md", "Naming"), folder("b"))

    assert readme(subject(*entries)) == "How we work. Holds: Naming · b"


def test_a_readme_alone_speaks_for_itself():
    assert readme(subject(document("README.md", "R", "x" * 200))) == "x" * 200


@pytest.mark.parametrize("name", ["README.md", "Index.md", "_index.md"])
def test_the_page_of_a_folder_speaks(name):
    assert readme(subject(document(name, "R", "Said."))) == "Said."


def test_a_page_without_a_summary_leaves_the_word_to_the_next():
    entries = (document("README.md"), document("index.md", "I", "Said."))

    assert readme(subject(*entries)) == "Said."
    assert readme(subject(document("README.md"))) == ""


def test_a_long_statement_leaves_room_for_the_entries():
    statement = " ".join(["word"] * 48)
    entries = (document("README.md", "R", statement), document("a.md", "Naming"))

    summary = readme(subject(*entries))

    assert summary == f"{' '.join(['word'] * 32)}… Holds: Naming"
