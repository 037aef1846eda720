"""A real nats-server for tests, on a port of its own choice."""

import contextlib
from collections.abc import Iterator

from brain.embedded.nats import ANY_PORT, chosen_port, prepare_nats
from brain.embedded.process import running
from brain.testkit.scratch_folder import scratch_folder


@contextlib.contextmanager
def nats_server() -> Iterator[str]:
    """Run a server with JetStream for the length of a block and yield its URL."""
    with scratch_folder() as folder:
        home = folder / "nats"
        nats = prepare_nats(home, ANY_PORT, durable=False)
        with running(nats.program, folder / "nats.log") as process:
            port = chosen_port(home, process.pid)
            assert port is not None
            yield nats._replace(address=f"nats://127.0.0.1:{port}").url
