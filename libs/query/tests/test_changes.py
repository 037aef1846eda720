"""Which sections of a document changed."""

from brain.query.changes import Side, changed_sections
from brain.tree.config import TreeConfig
from brain.tree.parse import parse_document

OLD = "# Top\n\nIntro.\n\n## One\n\nFirst.\n\nMore.\n\n## Two\n\nSecond.\n"


def side(text: str, path: str = "a.md") -> Side:
    return path, parse_document(text.encode(), TreeConfig()).nodes, text.encode()


def changed(old: str, new: str) -> list[tuple[str, str]]:
    return [(each.node_id, each.status) for each in changed_sections(side(old), side(new))]


def test_a_section_changed_when_its_own_lines_did():
    assert changed(OLD, OLD.replace("First.", "1st.")) == [("a.md#one", "modified")]
    assert changed(OLD, OLD) == []


def test_a_new_section_changes_neither_neighbour():
    assert changed(OLD, OLD + "\n## Three\n\nThird.\n") == [("a.md#three", "added")]
    assert changed(OLD, OLD.replace("## Two", "## New\n\nText.\n\n## Two")) == [
        ("a.md#new", "added")
    ]


def test_a_heading_put_into_a_section_takes_lines_from_it():
    assert changed(OLD, OLD.replace("More.", "## New\n\nMore.")) == [
        ("a.md#one", "modified"),
        ("a.md#new", "added"),
    ]


def test_sections_that_changed_places_did_not_change():
    swapped = "# Top\n\nIntro.\n\n## Two\n\nSecond.\n\n## One\n\nFirst.\n\nMore.\n"

    assert changed(OLD, swapped) == []


def test_an_anchor_that_names_another_text_is_modified():
    old = "# T\n\n## Example\n\nA.\n\n## Example\n\nB.\n"
    new = "# T\n\n## Example\n\nNew.\n\n## Example\n\nA.\n\n## Example\n\nB.\n"

    assert changed(old, new) == [
        ("a.md#example", "modified"),
        ("a.md#example-1", "modified"),
        ("a.md#example-2", "added"),
    ]


def test_a_deleted_section_keeps_the_path_it_had():
    found = changed_sections(side("# Top\n\n## One\n", "old.md"), side("# Top\n", "new.md"))

    assert [(each.node_id, each.status) for each in found] == [("old.md#one", "deleted")]
