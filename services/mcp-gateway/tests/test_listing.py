"""What a listing says of a child, and what it leaves out."""

import msgspec
import pytest

from brain.mcp_gateway.listing import DETAILS, NAMES, Detail, adds_words, landmarks, line, said
from brain.query.node_view import NodeView

BRIEF = Detail(100, 1_000)


def view(node: str, title: str = "", summary: str = "", count: int = 0) -> NodeView:
    kind = "folder" if node.endswith("/") else "section" if "#" in node else "document"
    return NodeView(node, kind, title, summary, "text", node, 1, 1, 1, 5_400, count)


ROOT = view("/")
FOLDER = view("docs/", summary="All of it.")


@pytest.mark.parametrize(
    ("child", "detail", "text"),
    [
        (
            view("docs/a.md", "Words", "Said.", 2),
            DETAILS[0],
            "a.md Words (5400 tokens, 2 children): Said.\n",
        ),
        (view("docs/a.md", "Words", "Said.", 2), BRIEF, "a Words: Said.\n"),
        (view("docs/a.md", "Words", "Said.", 2), NAMES, "a Words\n"),
        (view("docs/b-c.md", "B (c)", "Said."), BRIEF, "b-c: Said.\n"),
        (view("docs/b/", "b", "Said.", 3), BRIEF, "b/ 5k: Said.\n"),
        (view("docs/b/", "b", "All of it.", 3), BRIEF, "b/ 5k\n"),
        (view("docs/b/", "b", "Said.", 3), NAMES, "b/\n"),
        (view("docs/a.md", "Words", "Words: more."), BRIEF, "a Words: more.\n"),
        (view("docs/a.md", "Words", "Wordsmiths."), BRIEF, "a Words: Wordsmiths.\n"),
    ],
)
def test_a_child_in_one_line(child, detail, text):
    assert line(said(child, FOLDER, detail), FOLDER.id) == text


def test_ids_stay_whole_and_names_stand_relative():
    child = said(view("docs/a.md#x-1", "X"), view("docs/a.md#x"), NAMES)

    assert child.id == "docs/a.md#x-1"
    assert line(child, "docs/a.md#x") == "#x-1 X\n".replace(" X", "")
    assert line(said(view("docs/", "docs"), ROOT, NAMES), "/") == "docs/\n"


def test_a_large_folder_has_more_room_than_a_small_one():
    text = "word " * 40

    large = said(view("docs/a/", "a", text, 50), FOLDER, BRIEF)
    small = said(view("docs/b/", "b", text, 3), FOLDER, BRIEF)

    assert len(str(large.summary)) > 180
    assert len(str(small.summary)) <= 50


def test_grandchildren_stand_below_moved_in():
    child = msgspec.structs.replace(view("docs/a/", "a"), children=[view("docs/a/b.md", "B")])

    assert line(said(child, FOLDER, NAMES), FOLDER.id) == "a/\n  b\n"


def test_a_title_adds_words_when_a_third_of_them_is_new():
    assert adds_words("Storing lists", "ch08-vectors.md")
    assert not adds_words("KEP-12: Node swap", "12-node-swap/")
    assert not adds_words("", "a")


def test_landmarks_lie_evenly_ahead():
    children = [view(f"docs/{n:03}.md") for n in range(100)]

    assert [(mark.offset, mark.name) for mark in landmarks(children, "docs/", 10, 3)] == [
        (10, "010"),
        (40, "040"),
        (70, "070"),
    ]
    assert landmarks(children, "docs/a.md", 10, 3) == []
