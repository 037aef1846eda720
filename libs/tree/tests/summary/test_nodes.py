import pytest

from brain.tree.config import TreeConfig
from brain.tree.node import Node
from brain.tree.parse import parse_document

TABLE = "| Id | Rule |\n|---|---|\n| R-01 | Prices differ |\n| R-02 | Stock is short |\n"


def nodes(text: str) -> tuple[Node, ...]:
    return parse_document(text.encode(), TreeConfig()).nodes


@pytest.mark.parametrize(
    ("text", "source", "summary"),
    [
        ("---\nsummary: >\n  What **it**\n  says\n---\nText.\n", "front-matter", "What it says"),
        ("---\ndescription: Described\n---\nText.\n", "front-matter", "Described"),
        ("---\ntitle: Named pipes\ndescription: 'Learn more about: Named Pipes'\n---\nText.\n",
         "text", "Text."),
        ("---\ntitle: .ENDW\ndescription: 'Learn more about: .ENDW (32-bit MASM)'\n---\nEnd.\n",
         "text", "End."),
        ("Gangs[^1] first.[^note]\n", "text", "Gangs first."),
        ("- [x] Done\n- [ ] To *do*\n", "list", "Done; To do"),
        ("---\ntitle: Pipes\ndescription: Learn how pipes are named and closed\n---\nText.\n",
         "front-matter", "Learn how pipes are named and closed"),
        ("---\ntitle: Pipes\ndescription: Learn more\n---\nText.\n", "text", "Text."),
        ("# T\n\nShort *text*.\n\nAnd more.\n", "text", "Short text. And more."),
        ("# T\n\nFirst [one](x.md).\n\n## Part\n", "paragraph", "First one."),
        ("- a\n- b\n\nThe paragraph.\n", "paragraph", "The paragraph."),
        ("[![b](b.svg)](x)\n\nReal text.\n\n## Part\n", "paragraph", "Real text."),
        (f"The rules.\n\n{TABLE}", "paragraph",
         "The rules. Rows: R-01 Prices differ; R-02 Stock is short"),
        ("# A\n\n## Context\n\nWhy.\n\n## Decision\n\nWe decide.\n", "section", "We decide."),
        ("- one\n- [two](x)\n", "list", "one; two"),
        (TABLE, "table", "Table of Id, Rule; 2 rows: R-01 Prices differ; R-02 Stock is short"),
        ("|Name|\n|-|\n|Alpha beta|\n", "table", "Table of Name; 1 row: Alpha beta"),
        ("```mermaid\nsequenceDiagram\nA->>B: x\n```\n", "diagram", "Diagram: sequenceDiagram"),
        ("```python\nx\n```\n", "code", "Code: python"),
        ("    x\n", "code", "Code"),
        ("# T\n\n## Setup\n\n- a\n\n## Usage\n\nUse it.\n", "section", "Use it."),
        ("---\nstatus: understood\nrules: 12\n---\n# T\n", "facts",
         "status: understood · rules: 12"),
        ("# T\n\n## One\n\n### x\n\n## Two\n", "children", "One · Two"),
        ("---\nstatus: Superseded\nsupersededBy: ADR-003\n---\nOld.\n", "text",
         "Superseded by ADR-003. Old."),
        ("---\nstatus: deprecated\nsupersededBy: [[New]]\n---\n# T\n\n## P\n", "children",
         "Deprecated; see New. P"),
        ("---\nstatus: deprecated\n---\n", "", "Deprecated."),
        ("---\nstatus: accepted\n---\nText.\n", "text", "Text."),
        ("> [!NOTE]\n> Read *this*.\n", "paragraph", "Read this."),
        ("> [!WARNING]\n>\n> Mind the gap.\n\n1. a\n", "paragraph", "Mind the gap."),
        ("> Quoted.\n\nSaid.\n", "paragraph", "Said."),
        ("![All services](x.png)\n", "paragraph", "All services"),
        ("![Logo](x.png)\n\n- a\n", "list", "a"),
        ("<h1>T</h1>\n<p align=center>A tool for <b>all</b> people here</p>\n\n## P\n\nq\n",
         "paragraph", "A tool for all people here"),
        ("<p align=center><img src=x></p>\n\nSaid.\n", "text", "Said."),
        ('{{% include "x" %}}\n\nSaid.\n\n## P\n', "paragraph", "Said."),
        ("[!INCLUDE [x](y.md)]\n", "", ""),
        ("# T\n\n- [A](#a)\n  - [B](#b)\n\n## Why\n\nx\n\n## Summary\n\nThis.\n",
         "section", "This."),
        ("打开**设置**、x ![[a.png]]\n", "text", "打开设置、x"),
        ("<!-- hidden -->\n", "", ""),
        ("", "", ""),
    ],
)  # fmt: skip
def test_the_summary_of_a_document_is_the_first_that_applies(text, source, summary):
    document = nodes(text)[0]

    assert (document.summary_source, document.summary) == (source, summary)


def test_a_card_is_summarised_by_its_fields():
    card = nodes("## R-01 x\n\n- **Owner:** Ana\n- **State**: open\n")[1]

    assert (card.summary_source, card.summary) == ("fields", "Owner: Ana · State: open")


def test_a_named_section_is_a_documents_way_to_speak_only():
    section = nodes("# T\n\n# U\n\n## Summary\n\nText.\n")[2]

    assert (section.summary_source, section.summary) == ("children", "Summary")


def test_a_long_paragraph_is_cut_at_a_word():
    summary = nodes("seven77 " * 60 + "\n\nmore\n")[0].summary

    assert summary == "seven77 " * 29 + "seven77…"


def test_a_long_word_is_cut_through():
    assert nodes("a" * 500)[0].summary == "a" * 239 + "…"


def test_hidden_characters_are_not_in_a_summary():
    assert nodes("a\U000e0041\u202eb")[0].summary == "ab"
