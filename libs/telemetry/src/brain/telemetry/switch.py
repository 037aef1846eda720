"""Switches: settings that are on or off."""

from collections.abc import Mapping

_WORDS = {"true": True, "on": True, "yes": True, "1": True}
_WORDS |= {"false": False, "off": False, "no": False, "0": False}


class SwitchError(ValueError):
    """A switch is set to neither on nor off."""

    def __init__(self, name: str, value: str) -> None:
        self.name = name
        self.value = value
        super().__init__(f"{name} is {value!r}; write true or false.")


def read_switch(environment: Mapping[str, str], name: str, *, otherwise: bool) -> bool:
    """Tell whether a setting is on, in any case; anything but on or off is refused.

    Taking an unknown word for the default would keep what was not to be kept, or open what was to
    be closed, and nobody would be told.

    Args:
        environment: where settings stand.
        name: of the variable.
        otherwise: when it is unset or empty.

    Raises:
        SwitchError: the value is no switch.
    """
    value = environment.get(name, "").strip().lower()
    if not value:
        return otherwise
    if value not in _WORDS:
        raise SwitchError(name, environment[name])
    return _WORDS[value]
