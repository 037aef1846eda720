import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.events.subjects import (
    LANE_COUNT,
    lane_consumer,
    lane_of,
    lane_subjects,
    source_of,
    work_subject,
)


@given(st.from_regex(r"\A[a-z0-9][a-z0-9-]{0,62}\Z"))
def test_every_project_has_one_of_the_lanes(project_id):
    assert 0 <= lane_of(project_id) < LANE_COUNT


def test_lanes_never_change():
    assert [lane_of(project) for project in ("handbook", "notes", "a")] == [52, 32, 10]
    assert LANE_COUNT == 64


def test_work_waits_where_its_lane_listens():
    subject = work_subject("fresh", "notes", 7)
    lane = lane_of("notes")

    assert subject == f"brain.v1.fresh.{lane}.7"
    assert lane_subjects("fresh", lane) == subject.removesuffix("7") + "*"
    assert lane_consumer("fresh", lane) == f"builder-fresh-{lane}"


def test_a_subject_ends_with_its_source():
    assert source_of("brain.v1.live.42") == 42
    with pytest.raises(ValueError, match="invalid literal"):
        source_of("brain.v1.live.x")
