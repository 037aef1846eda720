"""How an answer to words is told within a page and a budget."""

import json

import msgspec
import pytest

from brain.mcp_gateway.fit_guided import fit_guided
from brain.query.answers import GuidedAnswer, TreeAnswer
from brain.query.errors import BudgetTooSmallError
from brain.query.node_view import BestPlace, NodeView
from brain.query.page_cursor import PageCursor
from brain.query.search_state import SearchState
from brain.search.tokens import estimate_tokens

COMMIT = "c" * 40


def view(node: str, title: str, count: int, *best: BestPlace, match: float = 0.5) -> NodeView:
    kind = "folder" if node.endswith("/") else "document"
    return NodeView(
        node,
        kind,
        title,
        "Told.",
        "text",
        node,
        1,
        1,
        9,
        5_400,
        count,
        match=match,
        best=list(best),
    )


def place(node: str, title: str, document_title: str = "", **more) -> BestPlace:
    path = node.partition("#")[0]
    return BestPlace(node, title, document_title or title, path, 4, 9, 0.5, **more)


def guided(children: list[NodeView], total: int = 400, offset: int = 0) -> GuidedAnswer:
    tree = TreeAnswer(
        commit=COMMIT,
        branch="main",
        tip=COMMIT,
        behind_by=0,
        indexed_at="2026-01-01T00:00:00Z",
        project_id="docs",
        breadcrumb=[],
        node=NodeView("docs/", "folder", "docs", "All.", "x", "docs/", None, None, None, 9, total),
        children=children,
        total=total,
        next_offset=None,
        words="deposit",
        matching=offset + len(children),
        next_cursor=None,
        warnings=[],
    )
    return GuidedAnswer(tree, PageCursor(("1",), SearchState(COMMIT, 1)), offset)


def test_a_few_children_are_told_whole_with_places_named_as_children_are():
    child = view(
        "docs/money/",
        "money",
        3,
        place("docs/money/deposits.md#return", "Return", "Deposits", status="superseded"),
        place("docs/money/rates.md", "Prices in force"),
    )

    text = fit_guided(guided([child]), 500, 6_000).text

    assert text.split("\n")[2:] == [
        "1 of 400 children match (best first, 1.00 at most, > where beneath them, with lines):",
        "money/ 0.50 (5400 tokens, 3 children): Told.",
        "> money/deposits.md#return:4-9 0.50 [superseded]",
        "> money/rates.md:4-9 0.50 Prices in force",
        "",
    ]


def test_many_children_are_cut_with_a_cursor_that_leads_on():
    children = [view(f"docs/{n:03}/", f"Folder {n}", 3, match=0.1) for n in range(120)]
    answer = guided(children)

    told = fit_guided(answer, 500, 6_000).structured
    shown = len(told.children)

    assert 10 < shown < 120
    assert told.next_cursor == answer.pages.at(shown)
    assert told.children[0].match == 0.1
    assert (told.matching, told.total, told.next_offset, told.landmarks) == (120, 400, None, [])


def test_a_later_page_says_which_children_it_shows():
    children = [view("docs/a.md", "A", 0), view("docs/b.md", "B", 0)]

    text = fit_guided(guided(children, offset=50), 1, 6_000).text

    assert "52 of 400 children match, here 51 to 51 (" in text
    assert "Continue with cursor 51-" in text


@pytest.mark.parametrize("budget", [700, 1_000, 2_000, 4_000])
def test_a_budget_bounds_text_and_structure_together(budget):
    children = [
        view(f"docs/{n:03}/", f"Folder {n}", 3, place(f"docs/{n:03}/x.md", "X" * 70))
        for n in range(50)
    ]

    answer = fit_guided(guided(children), 500, budget)

    spent = estimate_tokens(answer.text) + estimate_tokens(
        json.dumps(msgspec.to_builtins(answer.structured), separators=(",", ":"))
    )
    assert spent <= budget
    assert answer.structured.children


def test_a_budget_without_room_for_one_child_names_the_least():
    with pytest.raises(BudgetTooSmallError):
        fit_guided(guided([view("docs/a/", "A", 1)]), 500, 10)
