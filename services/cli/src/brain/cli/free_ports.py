"""Ports for an instance that nobody chose ports for."""

import socket

from brain.cli.settings import HIGHEST_PORT_BASE
from brain.embedded.errors import PortTakenError
from brain.embedded.loopback import LOOPBACK, require_free_port

_STEP = 10
_TRIES = 20


def free_port_base(preferred: int) -> int:
    """Return a port base whose two ports nobody listens on.

    The preferred one if it is free, else the first free one in steps of ten above it, so that a
    second instance is found where people look for it; else any that the system offers.
    """
    for base in range(preferred, min(preferred + _STEP * _TRIES, HIGHEST_PORT_BASE), _STEP):
        if is_free_base(base):
            return base
    while not is_free_base(base := _offered()):
        pass
    return base


def is_free_base(base: int) -> bool:
    """Tell whether HTTP and NATS would both find their port free."""
    try:
        require_free_port(base, "HTTP")
        require_free_port(base + 1, "NATS")
    except PortTakenError:
        return False
    return True


def _offered() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
    return min(port, HIGHEST_PORT_BASE)
