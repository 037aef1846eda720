"""The estimate against the counts of real tokenizers, kept beside the samples they count."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.search.tokens import estimate_tokens

FOLDER = Path(__file__).with_name("token_samples")
COUNTS = json.loads(FOLDER.with_name("token_counts.json").read_text())


def estimate(name: str) -> int:
    return estimate_tokens((FOLDER / name).read_text())


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_no_tokenizer_counts_more_than_the_estimate(name):
    assert estimate(name) >= max(COUNTS[name].values())


@pytest.mark.parametrize("name", ["prose.md", "technical.md", "german.md"])
def test_the_estimate_stays_close_on_prose(name):
    assert estimate(name) <= 1.25 * max(COUNTS[name].values())


def test_every_sample_is_counted():
    assert sorted(COUNTS) == sorted(path.name for path in FOLDER.iterdir() if path.suffix != ".mjs")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("word", 1), ("two words", 2), ("a\n\nb", 3), ("1234", 4), ("漢", 2), ("\ud800", 2)],
)
def test_small_texts(text, tokens):
    assert estimate_tokens(text) == tokens


def test_the_parts_of_a_text_cost_at_least_what_the_whole_costs():
    text = (FOLDER / "technical.md").read_text()

    for line_count in (1, 2, 3):
        lines = text.splitlines(keepends=True)
        parts = ["".join(lines[at : at + line_count]) for at in range(0, len(lines), line_count)]
        assert sum(map(estimate_tokens, parts)) >= estimate_tokens(text)


@given(st.text(st.sampled_from("\n\n\n  \tab漢é0=_-A"), max_size=200) | st.text(max_size=200))
def test_a_token_never_has_more_than_eight_characters(text):
    assert estimate_tokens(text) >= len(text) // 8
