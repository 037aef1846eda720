import pytest

from brain.telemetry.numbers import NumberError, read_count, read_number


@pytest.mark.parametrize(("value", "expected"), [("", 7), (" ", 7), ("0", 0), (" 64 ", 64)])
def test_a_count_is_a_whole_number(value, expected):
    assert read_count({"BRAIN_X": value}, "BRAIN_X", 7) == expected


@pytest.mark.parametrize("value", ["64M", "1e3", "-1", "1.5", "٣", "0x10", "1_000"])
def test_what_is_no_count_is_refused_by_its_name(value):
    with pytest.raises(NumberError, match=r"BRAIN_X is .*; write a whole number"):
        read_count({"BRAIN_X": value}, "BRAIN_X", 7)


@pytest.mark.parametrize(
    ("value", "expected"), [("", 2.5), ("0", 0.0), ("0.25", 0.25), ("1e3", 1e3)]
)
def test_a_number_may_have_a_fraction(value, expected):
    assert read_number({"BRAIN_X": value}, "BRAIN_X", 2.5) == expected


@pytest.mark.parametrize("value", ["30s", "nan", "inf", "-1", "1,5"])
def test_what_is_no_number_is_refused_by_its_name(value):
    with pytest.raises(NumberError, match=r"BRAIN_X is .*; write a number"):
        read_number({"BRAIN_X": value}, "BRAIN_X", 2.5)
