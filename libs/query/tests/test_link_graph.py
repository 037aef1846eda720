"""Links of whole repositories, resolved from rows alone."""

from brain.query.link_graph import LinkGraph, build_graph
from brain.store.codec import decode_body, decode_head, encode_body, encode_head
from brain.store.index import StoredDocument
from brain.tree.config import TreeConfig
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
