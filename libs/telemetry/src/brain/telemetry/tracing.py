"""Traces: OpenTelemetry, exported by OTLP over HTTP when an endpoint is configured."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry import propagate, trace
from opentelemetry.context import attach, detach
from opentelemetry.trace import TracerProvider

_FLUSH_DELAY_MS = 500


class Tracing:
    """The process's tracing while it exports; without an endpoint there is none.

    Args:
        service: the service's name, shown by the tracing backend.
        endpoint: base URL of an OTLP/HTTP receiver.
    """

    def __init__(self, service: str, endpoint: str) -> None:
        # Imported here: a process that exports nothing saves the memory of all of this.
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
            OTLPSpanExporter,
        )
        from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider as SdkProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

        self._provider = SdkProvider(resource=Resource.create({"service.name": service}))
        exporter = OTLPSpanExporter(endpoint=endpoint.rstrip("/") + "/v1/traces")
        self._provider.add_span_processor(
            BatchSpanProcessor(exporter, schedule_delay_millis=_FLUSH_DELAY_MS)
        )
        trace.set_tracer_provider(self._provider)
        PsycopgInstrumentor().instrument(tracer_provider=self._provider)

    @property
    def provider(self) -> TracerProvider:
        """Where instrumentations send their spans."""
        return self._provider

    def flush(self) -> None:
        """Send what waits."""
        self._provider.force_flush()

    def close(self) -> None:
        """Send what waits, then end."""
        self._provider.shutdown()


def setup_tracing(service: str, endpoint: str) -> Tracing | None:
    """Trace this process and every database statement of it; None when *endpoint* is empty."""
    return Tracing(service, endpoint) if endpoint else None


@contextmanager
def span(name: str, **attributes: str | int) -> Iterator[trace.Span]:
    """Open a span below the current one; a no-op where nothing is exported."""
    with trace.get_tracer("brain").start_as_current_span(name, attributes=attributes) as opened:
        yield opened


def inject_context() -> dict[str, str]:
    """Return the current trace context as headers for another process."""
    carrier: dict[str, str] = {}
    propagate.inject(carrier)
    return carrier


@contextmanager
def joined_context(carrier: Mapping[str, str]) -> Iterator[None]:
    """Continue the trace another process began."""
    token = attach(propagate.extract(carrier))
    try:
        yield
    finally:
        detach(token)


def current_trace_id() -> str:
    """Return the current trace id as 32 hex digits; empty outside a trace."""
    context = trace.get_current_span().get_span_context()
    return trace.format_trace_id(context.trace_id) if context.is_valid else ""
