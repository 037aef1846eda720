"""An OTLP/HTTP receiver that keeps the spans it is sent."""

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from typing_extensions import override


class ReceivedSpan(NamedTuple):
    """One span as it arrived."""

    service: str
    name: str
    trace_id: str


class Receiver:
    """What arrived, and where to send it."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._spans: list[ReceivedSpan] = []
        self._arrived = threading.Condition()

    def take(self, body: bytes) -> None:
        """Keep the spans of one request."""
        request = ExportTraceServiceRequest.FromString(body)
        with self._arrived:
            for resource in request.resource_spans:
                service = next(
                    each.value.string_value
                    for each in resource.resource.attributes
                    if each.key == "service.name"
                )
                for scope in resource.scope_spans:
                    self._spans += [
                        ReceivedSpan(service, span.name, span.trace_id.hex())
                        for span in scope.spans
                    ]
            self._arrived.notify_all()

    def spans(self) -> list[ReceivedSpan]:
        """Return everything that arrived so far."""
        with self._arrived:
            return list(self._spans)

    def wait_for(self, name: str, timeout_s: float) -> ReceivedSpan | None:
        """Return the first span whose name contains *name*, or None when none came in time."""

        def found() -> ReceivedSpan | None:
            return next((span for span in self._spans if name in span.name), None)

        with self._arrived:
            self._arrived.wait_for(lambda: found() is not None, timeout_s)
            return found()


@contextlib.contextmanager
def otlp_receiver() -> Iterator[Receiver]:
    """Run a receiver for the length of a block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            receiver.take(self.rfile.read(int(self.headers["content-length"])))
            body = ExportTraceServiceResponse().SerializeToString()
            self.send_response(200)
            self.send_header("content-type", "application/x-protobuf")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        @override
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = Receiver(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
