import socket

import pytest

from brain.embedded.errors import PortTakenError
from brain.embedded.loopback import first_bytes, require_free_port
from brain.testkit.ports import free_port_pair


def test_a_taken_port_is_named_with_the_way_out():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(PortTakenError) as caught:
            require_free_port(port, "NATS")

    assert str(caught.value) == (
        f"Port {port} on 127.0.0.1, needed for NATS, is taken by another program. "
        "Choose another pair with --port-base N (N for HTTP, N+1 for NATS)."
    )


def test_a_free_port_is_accepted():
    require_free_port(free_port_pair(), "HTTP")


def test_nobody_answers_with_nothing():
    assert first_bytes(free_port_pair()) == b""


def test_a_silent_listener_is_not_waited_for():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert first_bytes(silent.getsockname()[1], timeout_s=0.05) == b""
