"""What ranked search finds in an index that was built, and after it changed."""

import numpy as np
import pytest

from brain.query.errors import BadRequestError
from brain.query.ranking import Filters
from brain.query.search import SearchOptions, search_answer
from brain.query.search_index import search_index
from brain.testkit.repository import TestRepository

pytestmark = pytest.mark.integration

FILES = {
    "README.md": "# Harbour\n\nHow we keep buoys afloat.\n",
    "domain/deposits.md": (
        "---\ntags: [money]\n---\n# Deposits\n\n## PRC-01 Two months\n\nPaid early.\n"
        "\n## Return\n\nGiven back within fourteen days, less the price of a missing lid.\n"
    ),
    "conventions/names.md": "# Names\n\nCall `deployment/chargeCustomer` version 3.11.2.\n",
    "projects/north/storm.md": "# Storms\n\nA buoy that moved is looked for by boat.\n",
    "projects/south/storm.md": "# Storms\n\nA buoy that moved is looked for by drone.\n",
    "decisions/radio.md": "---\nid: ADR-0001\nstatus: superseded\n---\n# Radio\n\nOwn masts.\n",
    "decisions/mobile.md": (
        "---\nid: ADR-0004\nsupersedes: ADR-0001\n---\n# Mobile network\n\nA radio link by card.\n"
    ),
    "decisions/old.md": "---\nvalidUntil: 2020-01-01\n---\n# Tariff of the radio\n\nTen euros.\n",
    "tr/kapak.md": "# Oksijen kapağı\n\nIslak kapak açılmaz. Değiştirilir.\n",
}
EVERYWHERE = ("domain", "conventions", "projects/north", "projects/south", "other")


@pytest.fixture
async def ask(bench_of, reader_of, tmp_path):
    """Return a function that searches, after committing and building what it is given."""
    repository = TestRepository(tmp_path / "notes.git")
    bench = bench_of(tmp_path / "mirrors", repository.path)
    project, readers = tmp_path.name.replace("_", "-"), []
    source = bench.add(project)

    async def search(query, files=None, **options):
        if files is not None:
            repository.commit(files)
            bench.build(source)
        if not readers:
            readers.append(await reader_of(bench))
        await readers[0].learn()
        filters = Filters(options.pop("scopes", EVERYWHERE), **options.pop("filters", {}))
        return await search_answer(readers[0], project, query, SearchOptions(filters, **options))

    search.index = lambda: readers[0].answer(project, search_index)
    search.bench = bench
    return search


def paths(answer):
    return [hit.citation.path for hit in answer.hits]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("deposits", "domain/deposits.md"),
        ("PRC-01", "domain/deposits.md#PRC-01"),
        ("prc-01", "domain/deposits.md#PRC-01"),
        ("chargeCustomer", "conventions/names.md"),
        ("deployment/chargeCustomer", "conventions/names.md"),
        ("charge customer", "conventions/names.md"),
        ("3.11.2", "conventions/names.md"),
        ("tr/kapak.md", "tr/kapak.md"),
        ("oksijen kapagi", "tr/kapak.md"),
        ("OKSİJEN KAPAĞI", "tr/kapak.md"),
        ("oksijen kapag\u0306\u0131", "tr/kapak.md"),
        ("projects/south/storm.md", "projects/south/storm.md"),
        ("when is money for a missing lid given back", "domain/deposits.md#return"),
        ("fourten days", "domain/deposits.md#return"),
    ],
)
async def test_what_is_asked_for_comes_first(ask, query, first):
    answer = await ask(query, FILES)

    assert answer.hits[0].node_id.startswith(first)
    assert answer.is_likely


async def test_a_hit_says_where_its_lines_are(ask):
    answer = await ask("PRC-01", FILES, explain=True)

    hit = answer.hits[0]
    assert (hit.citation.path, hit.citation.line_start, hit.citation.line_end) == (
        "domain/deposits.md",
        6,
        9,
    )
    assert hit.citation.commit == answer.commit
    assert hit.breadcrumb == "Deposits > PRC-01 Two months"
    assert hit.snippet == "Paid early."
    assert [place.leg for place in hit.explain] == hit.sources


async def test_what_no_longer_holds_stands_behind_what_took_its_place(ask):
    answer = await ask("radio", FILES)

    assert paths(answer)[0] == "decisions/mobile.md"
    standing = {
        hit.citation.path: (hit.status, hit.replaced_by)
        for hit in answer.hits
        if isinstance(hit.status, str)
    }
    assert standing["decisions/radio.md"] == ("superseded", "ADR-0004")
    assert standing["decisions/old.md"][0] == "expired"


async def test_filters_hold_inside_the_ranking(ask):
    many = {
        f"other/{number}.md": f"# Buoy {number}\n\nA buoy that moved.\n" for number in range(60)
    }

    narrow = await ask("a buoy that moved", FILES | many, scopes=("projects/north",))
    under = await ask("a buoy that moved", filters={"under": "projects/"})
    labelled = await ask("missing lid", filters={"labels": ("#Money",)})
    by_status = await ask("radio", filters={"status": "superseded"})

    assert paths(narrow) == ["projects/north/storm.md"]
    assert sorted(paths(under)) == ["projects/north/storm.md", "projects/south/storm.md"]
    assert {hit.citation.path for hit in labelled.hits} == {"domain/deposits.md"}
    assert set(paths(by_status)) == {"decisions/radio.md"}


async def test_without_scopes_what_is_shared_is_searched(ask):
    answer = await ask("missing lid", FILES, scopes=())

    assert {hit.citation.path.partition("/")[0] for hit in answer.hits} == {"domain"}


async def test_no_document_takes_more_than_two_places(ask):
    sections = "".join(f"## Part {number}\n\nOf the anchor chain.\n\n" for number in range(9))

    answer = await ask("anchor chain", FILES | {"chain.md": f"# Chain\n\n{sections}"})

    assert [hit.citation.path for hit in answer.hits].count("chain.md") == 2


async def test_a_question_that_nothing_answers_is_answered_so(ask):
    answer = await ask("parliament of liechtenstein", FILES)

    assert not answer.is_likely
    assert "does not seem to hold" in answer.warnings[-1]


@pytest.mark.parametrize(
    ("query", "options", "problem"),
    [
        ("", {}, "query"),
        ("a" * 10_001, {}, "query"),
        ("buoy", {"k": 0}, "k"),
        ("buoy", {"scopes": ("nowhere",)}, "scopes"),
    ],
)
async def test_what_means_nothing_is_refused_by_name(ask, query, options, problem):
    await ask("buoy", FILES)

    with pytest.raises(BadRequestError) as refused:
        await ask(query, **options)
    assert refused.value.parameter == problem


async def test_changed_renamed_and_deleted_documents_are_found_as_they_are_now(ask):
    before = FILES | {f"log/{number}.md": f"# Day {number}\n" for number in range(60)}
    await ask("buoy", before)
    changed = before | {"README.md": "# Harbour\n\nHow we keep lanterns alight.\n"}
    del changed["projects/north/storm.md"]
    changed["projects/east/storm.md"] = FILES["projects/north/storm.md"]

    lanterns = await ask("lanterns alight", changed, scopes=())
    boats = await ask("looked for by boat", scopes=("projects/east",))
    index = await ask.index()

    assert ask.bench.kinds[-1] == "incremental"
    assert paths(lanterns) == []  # it is in no scope that is searched by itself
    assert paths(await ask("lanterns alight", scopes=("other",))) == ["README.md"]
    assert paths(boats) == ["projects/east/storm.md"]
    assert len(index.segment_ids) == 2
    assert index.collection.count() == np.count_nonzero(index.collection.alive)
    assert set(index.numbers) == set(changed)
