import pytest

from brain.tree.assemble import assemble_folders, folder_row, folders_above
from brain.tree.child_order import child_order
from brain.tree.config import TreeConfig
from brain.tree.node import Node
from brain.tree.parse import parse_document
from brain.tree.place import place_document


def head(path: str, text: str = "text") -> Node:
    return place_document(parse_document(text.encode(), TreeConfig()), path, "0").nodes[0]


def heads(**texts: str) -> dict[str, Node]:
    return {path: head(path, text) for path, text in texts.items()}


def test_a_folder_that_holds_a_document_at_any_depth_exists():
    rows = assemble_folders(heads(**{"a/b/c.md": "x", "a/d.md": "y", "e.md": "z"}), TreeConfig())

    assert [(row.path, row.child_count, row.document_count) for row in rows] == [
        ("", 2, 3),
        ("a", 2, 2),
        ("a/b", 1, 1),
    ]


def test_an_empty_tree_has_a_root():
    (root,) = assemble_folders({}, TreeConfig())

    assert (root.path, root.title, root.summary, root.child_count) == ("", "/", "", 0)


def test_sizes_add_up():
    rows = assemble_folders(heads(**{"a/b/c.md": "12345", "a/d.md": "123"}), TreeConfig())

    assert [row.size_chars for row in rows] == [8, 8, 5]


def test_folders_come_first_then_readme_then_index_then_names():
    names = ["zeta", "README.md", "b.md", "B.md", "index.md", "readme.md", "alpha.md", "INDEX.MD"]

    ordered = sorted(names, key=lambda name: child_order(name, is_folder=name == "zeta"))

    assert ordered == [
        "zeta", "README.md", "readme.md", "INDEX.MD", "index.md", "B.md", "alpha.md", "b.md",
    ]  # fmt: skip


def test_a_readme_speaks_for_its_folder():
    rows = assemble_folders(
        heads(**{"a/index.md": "Index.", "a/README.md": "Read me."}), TreeConfig()
    )

    assert (rows[1].summary, rows[1].summary_source) == ("Read me.", "readme")


def test_the_only_document_speaks_for_its_folder():
    rows = assemble_folders(heads(**{"a/x.md": "# Prices\n\nAbout prices.\n"}), TreeConfig())

    assert (rows[1].summary, rows[1].summary_source) == ("Prices: About prices.", "children")
    assert (rows[0].summary, rows[0].summary_source) == ("a (Prices)", "children")


def test_documents_named_by_their_files_are_listed_without_the_ending():
    rows = assemble_folders(heads(**{"a/x.md": "x", "a/y.md": "y", "b/z.md": "z"}), TreeConfig())

    assert [row.summary for row in rows] == ["a · b (z)", "x · y", "z: z"]


def test_long_names_are_cut_where_many_entries_are_listed():
    documents = heads(
        **{f"a/{n}.md": f"# Part {n} of a very long story about one buoy\n" for n in range(9)}
    )

    summary = assemble_folders(documents, TreeConfig())[1].summary

    shown = " .. ".join(f"Part {n} of a very long story" for n in (0, 1, 2, 4, 5, 6, 8))
    assert summary == f"{shown}…"


def test_a_layout_says_what_a_folder_holds():
    documents = heads(
        **{
            "rules/rtn01/x.md": "# Unopened articles\n",
            "rules/rtn02/a.md": "a",
            "rules/rtn02/b.md": "b",
        }
    )

    rows = assemble_folders(documents, TreeConfig(layout=(("rules", "business rules"),)))

    assert (rows[1].summary, rows[1].summary_source) == (
        "Holds business rules: rtn01 (Unopened articles) · rtn02",
        "layout",
    )


def test_one_row_is_a_function_of_its_direct_children():
    documents = heads(**{"a/b/c.md": "x", "a/b/d.md": "x", "a/e.md": "y"})
    whole = {row.path: row for row in assemble_folders(documents, TreeConfig())}

    row = folder_row("a", [whole["a/b"]], [("a/e.md", documents["a/e.md"])], TreeConfig())

    assert row == whole["a"]


@pytest.mark.parametrize(
    ("path", "above"), [("a/b/c.md", ("a/b", "a", "")), ("c.md", ("",)), ("", ())]
)
def test_the_folders_above_are_named_from_the_nearest(path: str, above: tuple[str, ...]):
    assert folders_above(path) == above
