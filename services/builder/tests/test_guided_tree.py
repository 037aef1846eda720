"""Children of a node by words, in an index that was built, and after it changed."""

import random

import msgspec
import psycopg
import pytest

from brain.query.answers import guided_tree_answer, tree_answer
from brain.query.errors import BadRequestError, IndexMovedError
from brain.query.guided_tree import Guidance
from brain.testkit.history import RandomHistory
from brain.testkit.repository import TestRepository

pytestmark = [pytest.mark.integration, pytest.mark.timeout(600)]

FILES = {
    "README.md": "# Harbour\n\nHow we keep buoys afloat.\n",
    "domain/README.md": "# Domain\n\nWhat we know.\n",
    "domain/deposits.md": (
        "# Deposits\n\nTwo months.\n\n## Return\n\nGiven back within fourteen days, less the lid."
        "\n\n## Interest\n\n### Rate\n\nNone is paid on a deposit.\n"
    ),
    "decisions/radio.md": (
        "---\nid: ADR-0001\nstatus: superseded\n---\n# Radio\n\nA radio link over masts.\n"
    ),
    "decisions/mobile.md": (
        "---\nid: ADR-0004\nsupersedes: ADR-0001\n---\n# Mobile network\n\nA radio link by card.\n"
    ),
    "Sea/Storms/plan.md": "# Storms\n\nA buoy that moved is looked for by boat.\n",
    **{f"many/{n}.md": f"# Note {n}\n\nA {'lantern ' * n}of the quay.\n" for n in range(1, 61)},
}


@pytest.fixture
async def ask(bench_of, reader_of, tmp_path):
    """Return a function that opens a node by words."""
    repository = TestRepository(tmp_path / "notes.git")
    repository.commit(FILES)
    bench = bench_of(tmp_path / "mirrors", repository.path)
    project = tmp_path.name.replace("_", "-")
    source = bench.add(project)
    bench.build(source)
    reader = await reader_of(bench)

    async def opened(node, words, cursor="", depth=1, limit=50):
        guidance = Guidance(words, cursor)
        guided = await guided_tree_answer(reader, project, node, guidance, depth=depth, limit=limit)
        return guided.tree

    async def build(files):
        repository.commit(files)
        bench.build(source)
        await reader.learn()

    opened.build, opened.bench, opened.source = build, bench, source
    opened.usual = lambda node: tree_answer(reader, project, node, depth=1, offset=0, limit=50)
    return opened


def ids(answer):
    return [child.id for child in answer.children]


def places(answer):
    return {child.id: [place.id for place in child.best] for child in answer.children}


async def test_children_that_match_stand_best_first_with_places_beneath_them(ask):
    answer = await ask("/", "within how many days is a deposit given back")

    assert ids(answer)[0] == "domain/"
    assert places(answer)["domain/"] == ["domain/deposits.md#return"]
    assert (answer.matching, answer.total) == (len(answer.children), 5)
    assert answer.children[0].best[0].line_start == 5
    assert answer.children[0].match == max(child.match for child in answer.children)
    assert (answer.next_offset, answer.next_cursor, answer.warnings) == (None, None, [])


async def test_a_document_tells_its_best_sections_and_itself_is_no_place(ask):
    answer = await ask("domain/", "interest rate on a deposit")

    assert ids(answer)[0] == "domain/deposits.md"
    assert places(answer)["domain/deposits.md"][0] == "domain/deposits.md#rate"
    assert "domain/deposits.md" not in places(answer)["domain/deposits.md"]


async def test_sections_of_a_document_are_ordered_by_what_is_beneath_them(ask):
    answer = await ask("domain/deposits.md", "rate that is paid")
    inner = await ask("domain/deposits.md#deposits", "rate that is paid")

    assert ids(answer) == ["domain/deposits.md#deposits"]
    assert ids(inner)[0] == "domain/deposits.md#interest"
    assert places(inner)["domain/deposits.md#interest"] == ["domain/deposits.md#rate"]


async def test_what_no_longer_holds_is_behind_and_says_so(ask):
    answer = await ask("/", "radio link")
    inner = await ask("decisions/", "radio link")

    assert ids(inner) == ["decisions/mobile.md", "decisions/radio.md"]
    assert [place.status for place in answer.children[0].best] == [msgspec.UNSET, "superseded"]


async def test_a_misspelled_word_is_asked_as_corrected(ask):
    assert ids(await ask("/", "lantrn")) == ["many/"]


async def test_pages_lead_through_all_children_that_match(ask):
    seen, cursor = [], ""
    while cursor is not None:
        page = await ask("many/", "lantern", cursor, limit=17)
        seen += ids(page)
        cursor = page.next_cursor

    assert len(seen) == len(set(seen)) == page.matching == 60


async def test_a_page_holds_fifty_of_those_that_match(ask):
    assert len((await ask("many/", "lantern", limit=200)).children) == 50


async def test_a_cursor_of_an_index_before_is_refused(ask):
    page = await ask("many/", "lantern", limit=5)
    await ask.build({**FILES, "more.md": "# More\n"})

    with pytest.raises(IndexMovedError):
        await ask("many/", "lantern", page.next_cursor)


async def test_a_cursor_that_was_changed_leads_nowhere(ask):
    page = await ask("many/", "lantern", limit=5)
    changed = page.next_cursor.replace("5-", "60-", 1)

    with pytest.raises(BadRequestError, match="beyond"):
        await ask("many/", "lantern", changed)


@pytest.mark.parametrize("asked", [{"depth": 3}, {"limit": 0}])
async def test_a_page_that_means_nothing_is_refused(ask, asked):
    with pytest.raises(BadRequestError):
        await ask("/", "lantern", **asked)


async def test_without_a_match_the_usual_answer_stands_with_a_warning(ask):
    for words in ("zzzzqqqq", "?!", "\u200b.", "🙈"):
        answer = await ask("many/", words)
        usual = await ask.usual("many/")

        assert ids(answer) == ids(usual)
        assert answer.next_offset == 50
        assert answer.matching == 0
        assert "usual order" in answer.warnings[0]


async def test_without_a_search_index_the_usual_answer_stands_with_a_warning(ask):
    with psycopg.connect(ask.bench.url, autocommit=True) as connection:
        connection.execute(
            "delete from knowledge.search_segment where source_id = %s", (ask.source,)
        )

    answer = await ask("/", "deposit")

    assert ids(answer) == ids(await ask.usual("/"))
    assert answer.matching is None
    assert "no search index" in answer.warnings[0]


async def test_stop_words_alone_are_asked_for_as_they_are(ask):
    assert (await ask("/", "the of a")).matching >= 1


async def test_a_node_without_children_has_none_to_order(ask):
    answer = await ask("domain/deposits.md#return", "days")

    assert (answer.children, answer.matching, answer.warnings) == ([], 0, [])


async def test_grandchildren_come_in_their_usual_order(ask):
    answer = await ask("/", "lantern", depth=2)

    assert [each.id for each in answer.children[0].children[:2]] == ["many/1.md", "many/10.md"]


@pytest.mark.parametrize("words", ["", " ", "\n\t", "x" * 201])
async def test_blank_words_and_too_many_are_refused(ask, words):
    with pytest.raises(BadRequestError, match="words"):
        await ask("/", words)


async def test_an_index_that_grew_orders_as_one_that_was_built_whole(bench_of, reader_of, tmp_path):
    history = RandomHistory(tmp_path / "repository.git", random.Random(7))
    bench = bench_of(tmp_path / "mirrors", history.path)
    kept = bench.add("kept")
    history.step()
    bench.build(kept)
    reader = await reader_of(bench)

    for number in range(5):
        history.step()
        bench.build(kept)
        bench.build(bench.add(f"fresh-{number}"))
        await reader.learn()
        for words in ("prices and dates", "which rules are about orders", "R-03 review"):
            told = []
            for project in ("kept", f"fresh-{number}"):
                guidance = Guidance(words)
                guided = await guided_tree_answer(reader, project, "/", guidance, depth=1, limit=50)
                told.append(msgspec.structs.replace(guided.tree, project_id="", indexed_at=""))
            assert told[0] == told[1], (number, words)
    assert "incremental" in bench.kinds
