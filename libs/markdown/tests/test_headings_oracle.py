"""Headings and slugs against remark and github-slugger; the script is eval/slug_oracle."""

import json
from pathlib import Path

import pytest

from brain.markdown.blocks import parse_outline
from brain.markdown.inline import render_inline
from brain.markdown.slug import unique_slugs

ORACLE = json.loads((Path(__file__).parent / "fixtures" / "headings.json").read_text())


@pytest.mark.parametrize("case", ORACLE, ids=range(len(ORACLE)))
def test_headings_lines_and_slugs_equal_remarks(case):
    outline = parse_outline(case["source"])

    rendered = [render_inline(item.content, outline.definitions) for item in outline.headings]
    slugs = unique_slugs(text.slug_text for text in rendered)
    assert [
        [item.line + 1, item.level, slug, item.top]
        for item, slug in zip(outline.headings, slugs, strict=True)
    ] == case["headings"]
