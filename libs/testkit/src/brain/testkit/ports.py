"""Free ports for tests that must name one."""

import os
import socket

# Below the range from which Linux takes ports for outgoing connections.
FIRST, LAST = 20_000, 30_000


def free_port_pair() -> int:
    """Return a port that is free together with the next one.

    Processes look in different places, so that parallel test workers do not meet.
    """
    span = LAST - FIRST
    for attempt in range(span // 2):
        port = FIRST + (os.getpid() * 34 + attempt * 2) % span
        if _is_free(port) and _is_free(port + 1):
            return port
    raise AssertionError(f"no two free ports between {FIRST} and {LAST}")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
