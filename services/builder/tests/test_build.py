"""One build against a real database and a real mirror, at its edges."""

import psycopg
import pytest

from brain.builder.build import run_build
from brain.builder.job import Interrupted, Job, Nothing, Overtaken, Published
from brain.store.build_session import StillOwed

pytestmark = pytest.mark.integration

NOT_OWED = StillOwed(fresh=False, background=False)

TABLES = ("document", "folder", "definition", "reference")


FILES = {
    "README.md": "# Home\n\nSee [rules](rules/r.md) and R-01.\n",
    "rules/r.md": "---\ntitle: Rules\n---\n## R-01 First\n\nText.\n",
}


def test_a_build_publishes_the_tip_it_read(place):
    commit = place.commit(FILES)

    outcome = place.build()

    assert outcome == Published(commit, 2, NOT_OWED)
    assert (place.source.state, place.source.indexed_commit) == ("ready", commit)
    assert place.source.met_seq == place.source.wanted_seq == 1


def test_nothing_is_built_that_is_not_owed(place):
    place.commit(FILES)
    place.build()

    assert place.build() == Nothing("nothing is owed")


def test_a_rebuild_of_the_same_commit_writes_no_row(place):
    place.commit(FILES)
    place.build()
    before = place.versions()
    place.want()

    assert isinstance(place.build(), Published)
    assert place.versions() == before
    assert all(before)


def test_a_changed_document_rewrites_its_own_rows_alone(place):
    place.commit(FILES)
    place.build()
    before = dict(place.rows.all("select path, xmin::text from knowledge.document"))
    place.commit({**FILES, "README.md": "# Home\n\nChanged.\n"})

    place.build()

    after = dict(place.rows.all("select path, xmin::text from knowledge.document"))
    assert after["rules/r.md"] == before["rules/r.md"]
    assert after["README.md"] != before["README.md"]


def test_a_build_while_another_holds_the_lock_does_nothing(place):
    place.commit(FILES)
    inner = []

    place.build(lambda: inner.append(place.build()))

    assert inner == [Nothing("another build holds the lock")]
    assert place.source.fence == 1


def test_demand_that_comes_during_a_build_is_owed_afterwards(place):
    commit = place.commit(FILES)

    outcome = place.build(place.want)

    assert outcome == Published(commit, 2, StillOwed(fresh=True, background=False))
    assert place.source.state == "queued"
    assert place.build() == Published(commit, 2, NOT_OWED)
    assert place.source.state == "ready"


def test_a_build_that_another_overtook_writes_nothing(place):
    first = place.commit(FILES)
    place.build()
    place.commit({"README.md": "# Other\n"})

    outcome = place.build(lambda: place.rows.run("update knowledge.source set fence = fence + 1"))

    assert isinstance(outcome, Overtaken)
    assert place.source.indexed_commit == first


def test_an_index_that_moved_meanwhile_is_not_overwritten(place):
    place.commit(FILES)

    outcome = place.build(
        lambda: place.rows.run("update knowledge.source set indexed_commit = 'elsewhere'")
    )

    assert isinstance(outcome, Overtaken)
    assert place.rows.all("select * from knowledge.document") == []


def test_an_index_of_a_newer_builder_is_not_touched(place):
    place.commit(FILES)
    place.build()
    place.rows.run("update knowledge.source set builder_version = 99")
    place.commit({"README.md": "# Other\n"})
    before = place.versions()

    assert place.build() == Nothing("nothing is owed")
    assert place.versions() == before
    assert place.source.builder_version == 99


def test_a_source_turned_off_during_a_build_stays_off(place):
    place.commit(FILES)

    place.build(
        lambda: place.rows.run("update knowledge.source set enabled = false, state = 'off'")
    )

    assert place.source.state == "off"
    assert place.build() == Nothing("nothing is owed")


def test_a_project_removed_during_a_build_leaves_no_row(place):
    place.commit(FILES)

    outcome = place.build(lambda: place.rows.run("delete from knowledge.project"))

    assert isinstance(outcome, Overtaken)
    assert all(place.rows.all(f"select 1 from knowledge.{table}") == [] for table in TABLES)


def test_objects_that_have_not_arrived_interrupt_a_build(place):
    first = place.commit(FILES)
    place.build()
    place.rows.run("update knowledge.source set tip = %s, wanted_seq = wanted_seq + 1", "1" * 40)

    assert isinstance(place.build(), Interrupted)
    assert place.source.indexed_commit == first
    assert place.source.met_seq < place.source.wanted_seq


def test_a_mirror_that_is_not_there_yet_interrupts_a_build(place):
    place.rows.run("update knowledge.source set tip = %s, wanted_seq = 1", "1" * 40)

    assert isinstance(place.build(), Interrupted)


def test_a_database_that_goes_away_interrupts_a_build(place):
    place.commit(FILES)

    outcome = place.build(
        lambda: place.rows.run(
            "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'"
        )
    )

    assert isinstance(outcome, Interrupted)
    assert place.source.indexed_commit == ""
    assert isinstance(place.build(), Published)


def test_a_database_that_is_away_interrupts_a_build(folder):
    outcome = run_build(Job(1, "postgresql://nobody@127.0.0.1:1/none", str(folder)), lambda _: None)

    assert isinstance(outcome, Interrupted)


def test_hostile_text_is_stored_as_it_can_be(place):
    place.commit(
        {
            "nul.md": "# A\x00B\n\n[x](a\x00b.md) [[c\x00d]]\n",
            "bytes.md": b"# \xff\xfe\n\n[a](\xff.md)\n",
            "long.md": "# " + "x" * 100_000 + "\n\n[[" + "y" * 100_000 + "]]\n",
            "yaml.md": '---\naliases: ["a\\0b", "\\ud800"]\nid: "\\0"\n---\n# C\n',
        }
    )

    assert isinstance(place.build(), Published)
    with psycopg.connect(place.rows.url) as connection:
        assert connection.execute("select count(*) from knowledge.document").fetchone() == (4,)


def test_a_file_that_moved_and_changed_and_one_that_only_moved_are_where_they_are(place):
    twin = "# Twin\n\nThe same.\n"
    place.commit({**FILES, "a.md": twin, "b.md": twin, **{f"{n}.md": "# N\n" for n in range(9)}})
    place.build()
    place.commit(
        {
            "README.md": FILES["README.md"],
            "moved/r.md": FILES["rules/r.md"] + "More.\n",
            "a.md": twin,
            "moved/b.md": twin,
            **{f"{n}.md": "# N\n" for n in range(9)},
        }
    )

    place.build()

    paths = [path for (path,) in place.rows.all("select path from knowledge.document order by 1")]
    assert paths == [
        *(f"{n}.md" for n in range(9)),
        "README.md",
        "a.md",
        "moved/b.md",
        "moved/r.md",
    ]
    assert place.rows.all("select path from knowledge.folder order by 1") == [("",), ("moved",)]


def test_an_index_with_a_name_that_is_left_out_grows_by_what_changed(place):
    odd = {"odd\u200b.md": "# Odd\n"}
    many = {f"{n}.md": "# N\n" for n in range(9)}
    place.commit({**FILES, **odd, **many})
    place.build()
    place.commit({**FILES, **odd, **many, "0.md": "# Changed\n"})

    place.build()

    assert place.source.last_build["kind"] == "incremental"
    assert place.source.left_out == {"bad-name": 1}
