import json
from pathlib import Path

import pytest

from brain.markdown.slug import github_slug, unique_slugs

ORACLE = json.loads((Path(__file__).parent / "fixtures" / "slugs.json").read_text())


@pytest.mark.parametrize("case", ORACLE, ids=lambda case: repr(case["texts"])[:40])
def test_slugs_equal_those_of_github_slugger(case: dict[str, list[str]]):
    assert list(unique_slugs(case["texts"])) == case["slugs"]


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Foo & Bar", "foo--bar"),
        ("Fleet \N{EM DASH} operator", "fleet--operator"),
        (":smiley: Hi", "smiley-hi"),
        ("\N{GRINNING FACE} Hi", "-hi"),
        (":triangular_ruler: example", "triangular_ruler-example"),
        ("1\N{EM SPACE}ab", "1ab"),
        ("Conclusion & Future Work", "conclusion--future-work"),
        ("\u4e2d\u6587 \u6807\u9898", "\u4e2d\u6587-\u6807\u9898"),
        ("__proto__", "__proto__"),
        ("!?", ""),
    ],
)
def test_a_slug_is_githubs(text: str, slug: str):
    assert github_slug(text) == slug


def test_two_thousand_equal_headings_stay_unique():
    slugs = unique_slugs(["a"] * 2_000)

    assert len(set(slugs)) == 2_000
    assert slugs[-1] == "a-1999"
