import pytest

from brain.tree.document import Facts
from brain.tree.summary.status import with_status


@pytest.mark.parametrize(
    ("summary", "successors", "expected"),
    [
        ("We show what is measured.", (), "Rejected. We show what is measured."),
        ("Rejected. We show what is measured.", (), "Rejected. We show what is measured."),
        ("rejected by the board", (), "rejected by the board"),
        ("Rejections are counted.", (), "Rejected. Rejections are counted."),
        ("Rejected. Too dear.", ("[[ADR-7]]",), "Rejected; see ADR-7. Rejected. Too dear."),
        ("", (), "Rejected."),
    ],
)
def test_a_status_is_said_once(summary, successors, expected):
    facts = Facts(status="rejected", superseded_by=successors)

    assert with_status(summary, facts) == expected
