from brain.cli.node_text import node_lines, tree_text


def node(node_id, title, summary="", **more):
    return {"id": node_id, "title": title, "summary": summary, **more}


def test_a_title_that_repeats_the_id_is_left_out():
    assert node_lines(node("domain/farms/", "farms")) == ["domain/farms/"]
    assert node_lines(node("/", "/")) == ["/"]


def test_title_and_status_stand_beside_the_id_and_the_summary_beneath():
    lines = node_lines(node("a.md", "Radio", "Superseded.", status="superseded"), "  ")

    assert lines == ["  a.md  Radio  [superseded]", "      Superseded."]


def test_a_tree_shows_the_way_the_node_the_children_and_how_to_go_on():
    answer = {
        "breadcrumb": [{"id": "/"}, {"id": "a/"}],
        "node": node("a/b.md", "B"),
        "children": [node("a/b.md#c", "C", "See.", children=[node("a/b.md#d", "D")])],
        "total": 3,
        "nextOffset": 1,
    }

    assert tree_text(answer).split("\n") == [
        "/ > a/",
        "a/b.md  B",
        "",
        "  a/b.md#c  C",
        "      See.",
        "    a/b.md#d  D",
        "  … 2 more: --offset 1",
    ]


def test_words_show_where_beneath_a_child_and_how_many_match():
    place = {
        "id": "a/b.md#c",
        "title": "Return",
        "documentTitle": "Deposits",
        "lineStart": 4,
        "lineEnd": 9,
        "match": 0.5,
        "status": "superseded",
    }
    answer = {
        "breadcrumb": [],
        "node": node("/", "/"),
        "children": [node("a/", "a", best=[place])],
        "total": 3,
        "nextOffset": None,
        "matching": 2,
        "nextCursor": "1-aaaaaaaa-bbbbbbbb",
        "warnings": [],
    }

    assert tree_text(answer).split("\n") == [
        "/",
        "",
        "  a/",
        "    > a/b.md#c:4-9  0.50  Deposits > Return  [superseded]",
        "  2 of 3 children match",
        "  … and more: --cursor 1-aaaaaaaa-bbbbbbbb",
    ]


def test_a_warning_of_words_stands_last():
    answer = {
        "breadcrumb": [],
        "node": node("/", "/"),
        "children": [],
        "total": 0,
        "nextOffset": None,
        "matching": 0,
        "nextCursor": None,
        "warnings": ["Nothing holds these words."],
    }

    assert tree_text(answer) == "/\n\nNothing holds these words."
