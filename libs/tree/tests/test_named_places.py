import pytest

from brain.tree.config import TreeConfig
from brain.tree.parse import parse_document

TOP = "# Top\n\n"


def places(text: str, dialect: str = "github") -> dict[str, int]:
    return dict(parse_document(text.encode(), TreeConfig(dialect=dialect)).html_anchors)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('<a name="Old"></a>\n', {"Old": 1}),
        ("text <span id=bare>x</span>\n", {"bare": 1}),
        ("<div>\n<a id='x'></a>\n</div>\n\n## More\n\n<i id='y'>\n", {"x": 1, "y": 2}),
        ("`<a name='x'>` and ``<a id='`y'>``\n", {}),
        ("\\<a name='x'>\n", {}),
        ("text <!-- <a name='x'></a> --> <a name='y'></a>\n", {"y": 1}),
        ("<!-- <a name='x'></a> -->\n<a name='y'></a>\n", {"y": 1}),
        ("```\n<a name='x'></a>\n```\n", {}),
    ],
)
def test_explicit_ids_are_places_where_they_are_markup(text: str, names: dict[str, int]):
    assert places(TOP + text) == names


def test_a_heading_in_a_quote_or_list_is_a_place_of_the_node_that_holds_it():
    text = "# Top\n\n> ## In quote\n\n- ## In list\n\n## In quote\n\n> # Top\n"

    assert places(text) == {"in-quote": 1, "in-list": 1, "top-1": 2}


def test_a_heading_written_in_html_is_a_place_where_the_renderer_gives_it_an_anchor():
    text = "<h1 align='center'>\nThe <b>tool</b> &amp; more\n</h1>\n\n# Top\n"

    assert places(text) == {"the-tool--more": 0}
    assert places(text, "gitlab") == {"the-tool-more": 0}
    assert places(text, "mkdocs") == {}


def test_a_heading_in_html_counts_where_repeats_are_numbered():
    text = "<h2>Dup</h2>\n\n# Dup\n\n# Dup\n"
    parsed = parse_document(text.encode(), TreeConfig())

    assert [node.slug for node in parsed.nodes[1:]] == ["dup", "dup-1"]
    assert dict(parsed.html_anchors) == {"dup-2": 2}


def test_an_html_heading_in_a_comment_or_without_an_end_is_no_place():
    assert places(TOP + "<div>\n<!-- <h2>No</h2> -->\n<h2>Open\n</h3>\n</div>\n") == {}
