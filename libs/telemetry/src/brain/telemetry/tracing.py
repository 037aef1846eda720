"""Traces: OpenTelemetry, exported by OTLP over HTTP when an endpoint is configured."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry import propagate, trace
from opentelemetry.context import attach, detach
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

_FLUSH_DELAY_MS = 500


def setup_tracing(service: str, endpoint: str) -> TracerProvider | None:
    """Install the process's tracer provider and trace every database statement.

    Args:
        service: the service's name, shown by the tracing backend.
        endpoint: base URL of an OTLP/HTTP receiver; empty exports nothing and costs nothing.

    Returns:
        The provider, to be shut down at the end so that the last spans leave, or None.
    """
    if not endpoint:
        return None
    provider = TracerProvider(resource=Resource.create({"service.name": service}))
    exporter = OTLPSpanExporter(endpoint=endpoint.rstrip("/") + "/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=_FLUSH_DELAY_MS))
    trace.set_tracer_provider(provider)
    PsycopgInstrumentor().instrument(tracer_provider=provider)
    return provider


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
