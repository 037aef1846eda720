"""Numbers among settings."""

import math
from collections.abc import Mapping


class NumberError(ValueError):
    """A setting is no number, or none that can be meant."""

    def __init__(self, name: str, value: str, wanted: str) -> None:
        self.name = name
        super().__init__(f"{name} is {value!r}; write {wanted}.")


def read_count(environment: Mapping[str, str], name: str, otherwise: int) -> int:
    """Return a setting that is a whole number, not negative.

    Args:
        environment: where settings stand.
        name: of the variable.
        otherwise: when it is unset or empty.

    Raises:
        NumberError: it is anything else; ``64M`` is.
    """
    value = environment.get(name, "").strip()
    if not value:
        return otherwise
    if not (value.isascii() and value.isdecimal()):
        raise NumberError(name, environment[name], "a whole number")
    return int(value)


def read_number(environment: Mapping[str, str], name: str, otherwise: float) -> float:
    """Return a setting that is a number, not negative and not without end.

    Args:
        environment: where settings stand.
        name: of the variable.
        otherwise: when it is unset or empty.

    Raises:
        NumberError: it is anything else; ``30s`` is.
    """
    value = environment.get(name, "").strip()
    if not value:
        return otherwise
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number >= 0):
        raise NumberError(name, environment[name], "a number")
    return number
