"""Ports on the loopback interface."""

import socket

from brain.embedded.errors import PortTakenError

LOOPBACK = "127.0.0.1"


def require_free_port(port: int, use: str) -> None:
    """Refuse a port that somebody listens on.

    Raises:
        PortTakenError: names the port and what it is for.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # Ports that only wait out old connections (TIME_WAIT) are free for a server.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            raise PortTakenError(port, use) from error


def first_bytes(port: int, request: bytes = b"", *, timeout_s: float = 1.0) -> bytes:
    """Send a request to a local port and return the first bytes of the answer.

    Returns:
        At most 512 bytes; empty when nobody answers in time.
    """
    try:
        with socket.create_connection((LOOPBACK, port), timeout=timeout_s) as connection:
            connection.sendall(request)
            return connection.recv(512)
    except OSError:
        return b""
