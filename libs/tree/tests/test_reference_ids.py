import pytest

from brain.tree.reference_ids import is_reference_id, leading_id, mentioned_ids


@pytest.mark.parametrize("text", ["R-01", "ADR-0091", "ADR-003", "RULE-INV01-0001", "A1-B2-123456"])
def test_these_are_reference_ids(text: str):
    assert is_reference_id(text)


@pytest.mark.parametrize(
    "text", ["R-1", "r-01", "R-1234567", "R01", "1R-01", "R--01", "R-01-A", "R-01 "]
)
def test_these_are_none(text: str):
    assert not is_reference_id(text)


def test_an_id_is_bounded():
    text = "R-01, (R-02) xR-03 R-04x R-05-x -R-06 R-07_ éR-08 R-09."

    assert mentioned_ids(text) == ["R-01", "R-02", "R-09"]


def test_a_leading_id_stands_first():
    assert leading_id("R-01: Prices") == "R-01"
    assert leading_id("The R-01") == ""
    assert leading_id("R-01x") == ""
