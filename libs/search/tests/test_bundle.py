import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.search.bundle import BudgetTooSmallError, Candidate, Request, pack_bundle
from brain.search.tokens import estimate_tokens
from brain.search.truncation import MARKER

#: What the first line of an empty bundle needs.
LEAST_BUDGET = 70


def candidate(number, content, scope="domain", **fields):
    return Candidate(
        chunk_id=f"{number:016x}",
        node_id=f"{scope}/a.md#{number}",
        path=f"{scope}/a.md",
        breadcrumb=f"A > {number}",
        scope=scope,
        line_start=1,
        line_end=3,
        content=content,
        has_heading=True,
        **fields,
    )


def request(max_tokens, task="Fix it"):
    return Request("0123456789abcdef", task, ("conventions", "domain"), max_tokens, "abc")


def prose(number, words=30):
    return " ".join(f"word{number}x{at}" for at in range(words))


def test_a_bundle_says_where_each_section_stands():
    found = candidate(7, "## Retry\n\nThree times.\n", note="updated 2026-02-03")

    bundle = pack_bundle(request(200), [found])

    assert bundle.text == (
        "<!-- brain bundle 0123456789abcdef · 1 section, ~3 tokens · scopes: conventions, domain"
        " · index abc · task: Fix it -->\n"
        "\n## domain/a.md — A > 7 (updated 2026-02-03)\n\nThree times.\n"
    )
    assert (bundle.left_out, bundle.truncated) == ((), False)


def test_nothing_found_is_said():
    assert pack_bundle(request(200), []).text.endswith("-->\n\n(no matching knowledge)\n")


def test_sections_go_by_scope_then_rank():
    scopes = ["projects/a", "conventions", "domain", "other", "domain"]

    bundle = pack_bundle(
        request(4000), [candidate(at, prose(at), scope) for at, scope in enumerate(scopes)]
    )

    assert [int(each.chunk_id, 16) for each in bundle.sections] == [2, 4, 1, 0, 3]


def test_what_is_left_out_has_a_reason():
    candidates = [
        candidate(0, prose(0)),
        candidate(1, prose(0) + "."),
        candidate(2, "## Only a heading\n"),
        candidate(3, prose(3, 900)),
        candidate(4, prose(4)),
    ]

    bundle = pack_bundle(request(600), candidates)

    assert [int(each.chunk_id, 16) for each in bundle.sections] == [0, 4]
    assert [(int(each.chunk_id, 16), each.reason) for each in bundle.left_out] == [
        (1, "duplicate"),
        (2, "empty"),
        (3, "budget"),
    ]
    assert bundle.left_out[0].same_as == f"{0:016x}"


def test_the_head_of_the_best_stands_alone_when_nothing_fits():
    bundle = pack_bundle(request(250), [candidate(0, prose(0, 900)), candidate(1, prose(1, 900))])

    assert [int(each.chunk_id, 16) for each in bundle.sections] == [0]
    assert bundle.truncated
    assert bundle.text.endswith(f"{MARKER}\n")
    assert [int(each.chunk_id, 16) for each in bundle.left_out] == [1]


def test_a_fence_that_was_cut_off_is_closed():
    text = pack_bundle(request(300), [candidate(0, "~~~sh\nmake"), candidate(1, "after")]).text

    assert "~~~sh\nmake\n~~~\n\n## domain/a.md" in text


def test_the_fence_of_a_head_is_closed():
    bundle = pack_bundle(request(250), [candidate(0, "```\n" + "make it so\n" * 400 + "```")])

    assert bundle.text.endswith(f"{MARKER}\n```\n")


def test_a_task_cannot_close_the_comment():
    text = pack_bundle(request(300, "a -->\n# x " + "y" * 200), []).text

    assert text.count("-->") == 1
    assert text.splitlines()[0].endswith("…  -->".replace("  ", " "))


def test_what_is_said_beside_the_text_counts():
    found = [candidate(at, prose(at), beside=50) for at in range(20)]
    asked = msgspec.structs.replace(request(1_000), beside=200)

    bundle = pack_bundle(asked, found)

    assert 0 < len(bundle.sections) < len(pack_bundle(request(1_000), found).sections)
    assert bundle.tokens + 200 + 50 * len(bundle.sections) <= 950


def test_sections_alone_give_the_same_bytes_again():
    found = [candidate(at, prose(at, 40 + 60 * (at % 3))) for at in range(12)]

    for budget in range(150, 3_000, 61):
        bundle = pack_bundle(request(budget), found)
        kept = {each.chunk_id for each in bundle.sections}
        again = pack_bundle(request(budget), [each for each in found if each.chunk_id in kept])
        assert again.text == bundle.text


def test_a_budget_below_the_first_line_is_refused_with_the_least_one():
    with pytest.raises(BudgetTooSmallError) as refused:
        pack_bundle(request(5), [])

    assert pack_bundle(request(refused.value.minimum), []).sections == ()


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["domain", "conventions", "other"]),
            st.integers(0, 400),
            st.sampled_from(["漢", "word ", "x1", "QUJD", "\n", "```\n", "## h\n"]),
        ),
        max_size=12,
    ),
    st.integers(0, 900),
)
def test_a_bundle_never_exceeds_its_budget_and_repeats_itself(parts, max_tokens):
    candidates = [
        candidate(at, word * count, scope) for at, (scope, count, word) in enumerate(parts)
    ]

    bundle = pack_bundle(request(LEAST_BUDGET + max_tokens), candidates)

    assert bundle.tokens == estimate_tokens(bundle.text)
    assert bundle.tokens <= (LEAST_BUDGET + max_tokens) * 0.95
    assert bundle == pack_bundle(request(LEAST_BUDGET + max_tokens), candidates)
    assert len(bundle.sections) + len(bundle.left_out) == len(candidates)
