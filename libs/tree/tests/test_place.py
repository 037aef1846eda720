import pytest

from brain.tree.config import TreeConfig
from brain.tree.document import DocumentRow
from brain.tree.parse import parse_document
from brain.tree.place import place_document
from brain.tree.reference import Definition, Reference


def place(text: str, path: str = "dir/doc.md") -> DocumentRow:
    return place_document(parse_document(text.encode(), TreeConfig()), path, "b10b")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Front\nname: n\n---\n# Top\n", "Front"),
        ("---\nname: n\n---\n# Top *x*\n\n## b\n", "Top x"),
        ("---\nname: n\n---\n# Top\n\n# Second\n", "n"),
        ("# Top\n\n# Second\n", "doc.md"),
        ("## b\n\n# Late\n", "Late"),
        ("#\n", "doc.md"),
        ("text", "doc.md"),
        ("---\ntitle: [a]\nname: ''\n---\n", "a"),
    ],
)
def test_the_title_is_the_first_that_exists(text: str, title: str):
    assert place(text).nodes[0].title == title


def test_references_keep_order_node_line_and_what_was_written():
    row = place(
        "---\nid: ADR-0001\n---\nsee [x](../y.md#z%20q), R-01\n"
        "# R-02: about R-02 and R-03\n[[Foo/Bar#H|t]] <a href='#r-02'>up</a> [out](../../z.md)\n"
    )

    assert row.references == (
        Reference("link", 0, 4, "path:y.md", "z q", "../y.md#z%20q"),
        Reference("mention", 0, 4, "id:R-01", "", "R-01"),
        Reference("mention", 1, 5, "id:R-03", "", "R-03"),
        Reference("wikilink", 1, 6, "name:bar", "H", "Foo/Bar#H"),
        Reference("link", 1, 6, "path:dir/doc.md", "r-02", "#r-02"),
    )


def test_links_in_tables_have_the_line_of_their_row():
    row = place("| a | b |\n|---|---|\n| [x](x.md) | [[y\\|Y]] |\n| R-01 | `R-02` |\n")

    assert row.references == (
        Reference("link", 0, 3, "path:dir/x.md", "", "x.md"),
        Reference("wikilink", 0, 3, "name:y", "", "y"),
        Reference("mention", 0, 4, "id:R-01", "", "R-01"),
    )


@pytest.mark.parametrize(
    "text",
    ["```\n[a](b.md) R-01\n```\n", "    [a](b.md)\n", "<!-- [a](b.md)\n\n[[c]] -->\n",
     "![a](b.md)\n",
     "text[^1]\n\n[^1]: foot\n", "[a](My Page.md)\n", "[a](https://x.y/b.md)\n", "`[[a]]`\n",
     "[[pic.png]]\n", "<div>\n[a](b.md)\n</div>\n"],
)  # fmt: skip
def test_what_no_reader_could_follow_is_no_reference(text: str):
    assert place(text).references == ()


def test_cards_aliases_and_the_front_matter_id_are_defined():
    row = place("---\nid: ADR-0001\naliases: Start\n---\n## R-01 a\n\n## R-01 again\n")

    assert row.definitions == (
        Definition("name:doc", "stem", "dir/doc.md", ""),
        Definition("name:start", "alias", "dir/doc.md", ""),
        Definition("id:ADR-0001", "id", "dir/doc.md", ""),
        Definition("id:R-01", "id", "dir/doc.md", "R-01"),
    )


def test_the_path_decides_only_the_last_title_the_links_and_the_definitions():
    parsed = parse_document(b"# A\n\n## R-01 b\n[x](y.md)\n", TreeConfig())

    here, there = place_document(parsed, "a/x.md", "0"), place_document(parsed, "b.md", "0")

    assert here.nodes == there.nodes
    assert here.references[0].key == "path:a/y.md"
    assert there.references[0].key == "path:y.md"


def test_bad_front_matter_is_a_warning():
    row = place("---\ntitle: A: B\n---\n# T\n")

    assert row.nodes[0].title == "T"
    assert row.warnings == ("front matter, line 2: mapping values are not allowed in this context",)
