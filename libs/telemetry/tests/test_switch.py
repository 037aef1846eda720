import pytest

from brain.telemetry.switch import SwitchError, read_switch


@pytest.mark.parametrize("text", ["true", "True", "ON", " yes ", "1"])
def test_a_switch_is_on_in_any_case(text):
    assert read_switch({"X": text}, "X", otherwise=False) is True


@pytest.mark.parametrize("text", ["false", "False", "FALSE", "off", "No", "0\n"])
def test_a_switch_is_off_in_any_case(text):
    assert read_switch({"X": text}, "X", otherwise=True) is False


@pytest.mark.parametrize("environment", [{}, {"X": ""}, {"X": " "}])
def test_an_unset_switch_is_what_it_is_otherwise(environment):
    assert read_switch(environment, "X", otherwise=True) is True
    assert read_switch(environment, "X", otherwise=False) is False


@pytest.mark.parametrize("text", ["nein", "2", "disabled", "true false"])
def test_anything_else_is_refused(text):
    with pytest.raises(SwitchError, match="write true or false"):
        read_switch({"X": text}, "X", otherwise=True)
