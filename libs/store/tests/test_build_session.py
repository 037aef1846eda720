"""Build sessions: lock, fence, demand and the publishing transaction."""

import pytest

from brain.store.build_session import (
    begin_build,
    build_session,
    publish,
    release_build_lock,
    still_owed,
    try_build_lock,
)
from brain.store.errors import FenceLostError, StoreUnavailableError

pytestmark = pytest.mark.integration


def test_the_lock_belongs_to_one_session_a_source(url, source_id):
    with build_session(url) as one, build_session(url) as two:
        assert try_build_lock(one, source_id)
        assert not try_build_lock(two, source_id)
        assert try_build_lock(two, source_id + 1)

        release_build_lock(one, source_id)

        assert try_build_lock(two, source_id)


def test_the_lock_ends_with_its_session(url, source_id):
    with build_session(url) as one:
        try_build_lock(one, source_id)

    with build_session(url) as two:
        assert try_build_lock(two, source_id)


def test_each_build_raises_the_fence_and_an_older_one_cannot_publish(session, source_id, index_of):
    first = begin_build(session, source_id, 1, background=False)
    second = begin_build(session, source_id, 1, background=False)

    with pytest.raises(FenceLostError):
        publish(session, first, index_of({"a.md": "# A\n"}))
    publish(session, second, index_of({"a.md": "# B\n"}))

    assert (first.fence, second.fence) == (1, 2)
    assert session.execute("select count(*) from knowledge.document").fetchone() == (1,)


def test_demand_is_met_up_to_what_the_build_read(session, source_id, index_of):
    start = begin_build(session, source_id, 1, background=False)
    session.execute("update knowledge.source set wanted_seq = wanted_seq + 1")

    publish(session, start, index_of({"a.md": "# A\n"}))

    assert still_owed(session, source_id).fresh
    state = "select state, met_seq, indexed_commit from knowledge.source"
    assert session.execute(state).fetchone() == ("queued", 1, "c1")


def test_an_older_builder_is_given_nothing(session, source_id):
    session.execute("update knowledge.source set builder_version = 2")

    assert begin_build(session, source_id, 1, background=False) is None
    assert begin_build(session, source_id, 2, background=False) is not None


def test_rows_that_disappear_from_a_commit_are_deleted(session, source_id, index_of):
    publish(
        session,
        begin_build(session, source_id, 1, background=False),
        index_of({"a/x.md": "# A\n\n[[b]]\n", "b.md": "# B\n"}),
    )
    session.execute("update knowledge.source set wanted_seq = wanted_seq + 1, tip = 'c2'")

    publish(
        session,
        begin_build(session, source_id, 1, background=False),
        index_of({"b.md": "# B\n"}, "c2"),
    )

    paths = session.execute("select path from knowledge.document").fetchall()
    folders = session.execute("select path from knowledge.folder").fetchall()
    assert (paths, folders) == ([("b.md",)], [("",)])
    assert session.execute("select count(*) from knowledge.reference").fetchone() == (0,)


def test_a_session_to_a_database_that_is_away_is_a_typed_error():
    with (
        pytest.raises(StoreUnavailableError),
        build_session("postgresql://nobody@127.0.0.1:1/none"),
    ):
        pass
