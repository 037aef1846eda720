"""Links of whole repositories, resolved from rows alone."""

from brain.query.link_graph import LinkGraph, build_graph
from brain.store.codec import decode_body, decode_head, encode_body, encode_head
from brain.store.index import StoredDocument
from brain.tree.config import TreeConfig
from brain.tree.foreign_anchor import ForeignAnchor
from brain.tree.parse import parse_document
from brain.tree.place import place_document
from brain.tree.resolve import outside_keys


def graph_of(files: dict[str, str], outside: tuple[str, ...] = ()) -> LinkGraph:
    rows = [
        place_document(parse_document(text.encode(), TreeConfig()), path, "0")
        for path, text in sorted(files.items())
    ]
    documents = [
        StoredDocument(
            row.path, row.blob, decode_head(encode_head(row)), decode_body(encode_body(row))
        )
        for row in rows
    ]
    keys = [key for path in outside for key in outside_keys(path)]
    folders = frozenset(path.rpartition("/")[0] for path in files)
    return build_graph(documents, keys, folders, "github")


def broken(files: dict[str, str], outside: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(each.target, each.kind) for each in graph_of(files, outside).broken]


def test_links_to_markdown_that_is_not_indexed_are_neither_listed_nor_broken():
    text = "[a](scratch/d.md) [[d]] [[scratch/d|e]] [b](scratch/none.md) [[none]]\n"

    graph = graph_of({"a.md": text}, ("scratch/d.md",))

    assert [each.target for each in graph.broken] == ["scratch/none.md", "none"]
    assert list(graph.targets) == []


def test_broken_links_do_not_tell_what_a_restricted_folder_holds():
    text = "[a](restricted/pay.md) [b](restricted/none.md) [[pay]] [[none]] [[restricted/pay]]\n"

    there = broken({"a.md": text}, ("restricted/pay.md",))
    nowhere = broken({"a.md": text})

    assert there == nowhere
    assert there == [("pay", "wikilink"), ("none", "wikilink"), ("restricted/pay", "wikilink")]


def test_links_to_places_that_are_no_nodes_are_not_broken():
    page = "# Top\n\n> ## Quoted\n\n<h2>In HTML</h2>\n\n<a id='x'></a>\n"
    links = "[a](p.md#quoted) [b](p.md#in-html) [c](p.md#x) [d](p.md#user-content-top) [e](p.md#y)"

    assert broken({"p.md": page, "a.md": links}) == [("p.md#y", "anchor")]


def test_an_anchor_of_another_dialect_is_told_with_what_works_here():
    links = "[a](p.md#conclusion-future-work) [b](p.md#conclusion)\n"

    graph = graph_of({"p.md": "## Conclusion & Future Work\n", "a.md": links})

    assert [(each.resolved, each.foreign) for each in graph.broken] == [
        ("p.md#conclusion-future-work", ForeignAnchor("gitlab", "conclusion--future-work")),
        ("p.md#conclusion", None),
    ]


def test_a_wikilink_matches_whole_names_whose_dots_are_theirs():
    files = {
        "another-todo.md": "# A\n",
        "animal.dog.md": "# D\n",
        "animal.md": "# C\n",
        "München.md": "# M\n",
        "C++.md": "# P\n",
        "foo.md": "# F\n",
        "a.md": "[[todo]] [[animal.dog]] [[münchen]] [[C++]] [[dir2/foo]] [[animal.cat]]\n",
    }

    graph = graph_of(files)

    assert [graph.paths[target] for target in graph.targets] == [
        "animal.dog.md",
        "München.md",
        "C++.md",
    ]
    assert [each.target for each in graph.broken] == ["todo", "dir2/foo", "animal.cat"]


def test_a_slash_at_the_end_of_a_path_changes_nothing():
    files = {
        "a.md": "[a](b.md/) [b](none.md/) [c](docs/) [d](docs) [e](b.md?x=1) [f](b.md#b?x)\n",
        "b.md": "# B\n",
        "docs/README.md": "# D\n",
    }

    graph = graph_of(files)

    assert [graph.paths[target] for target in graph.targets] == [
        "b.md",
        "docs/README.md",
        "docs/README.md",
        "b.md",
    ]
    assert [each.target for each in graph.broken] == ["none.md/", "b.md#b?x"]


def test_a_link_is_found_by_its_exact_path_alone():
    files = {
        "a.md": "[a](my-file.md) [b](<my file.md>) [c](README.md) [d](readme.md) [e](Readme.md)\n",
        "my-file.md": "# A\n",
        "my file.md": "# B\n",
        "README.md": "# C\n",
        "readme.md": "# D\n",
    }

    graph = graph_of(files)

    assert [graph.paths[target] for target in graph.targets] == [
        "my-file.md",
        "my file.md",
        "README.md",
        "readme.md",
    ]
    assert [each.target for each in graph.broken] == ["Readme.md"]


def test_links_and_headings_below_front_matter_have_the_lines_of_the_file():
    front = "---\ntitle: T\ntags: [a]\n---\n"
    text = f"{front}# Intro\n\n> - [a](none.md)\n\n| t |\n|---|\n| [b](no.md) |\n"

    graph = graph_of({"a.md": text})

    assert [(each.target, each.line) for each in graph.broken] == [("none.md", 7), ("no.md", 11)]
