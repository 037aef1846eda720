import pytest

from brain.telemetry.service import settled


def test_settings_that_make_sense_are_returned():
    assert settled(lambda: {"port": 7700}) == {"port": 7700}


def test_a_missing_setting_ends_the_process_with_one_line():
    with pytest.raises(SystemExit) as ended:
        settled(lambda: {}["BRAIN_NATS_URL"])

    assert ended.value.code == "BRAIN_NATS_URL is not set."


def test_a_setting_without_sense_ends_the_process_with_one_line():
    with pytest.raises(SystemExit) as ended:
        settled(lambda: int("x"))

    assert ended.value.code == (
        "A setting makes no sense: invalid literal for int() with base 10: 'x'"
    )
