"""Metrics: every Prometheus metric of the product, in one place."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REGISTRY = CollectorRegistry()
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
_BUILD_SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)

#: ``surface`` is rest or mcp; ``name`` is a route or tool, never anything a caller chose.
REQUESTS = Counter(
    "brain_requests", "Requests answered.", ["surface", "name", "status"], registry=REGISTRY
)
REQUEST_SECONDS = Histogram(
    "brain_request_duration_seconds",
    "Time to answer.",
    ["surface", "name"],
    buckets=_SECONDS,
    registry=REGISTRY,
)
BUILDS = Counter("brain_builds", "Builds ended.", ["outcome"], registry=REGISTRY)
BUILD_SECONDS = Histogram(
    "brain_build_duration_seconds", "Time of a build.", buckets=_BUILD_SECONDS, registry=REGISTRY
)
LOOKS = Counter("brain_sync_runs", "Looks at remotes.", ["status"], registry=REGISTRY)
LAST_LOOK = Gauge(
    "brain_sync_last_success_timestamp_seconds", "Last look that worked.", registry=REGISTRY
)
RECONCILED = Counter(
    "brain_reconciled_demand", "Demand republished by the reconcile.", registry=REGISTRY
)
SOURCES = Gauge("brain_sources", "Sources by state.", ["state"], registry=REGISTRY)
DOCUMENTS = Gauge("brain_index_documents", "Documents in all indexes.", registry=REGISTRY)


def render() -> bytes:
    """Return all metrics in Prometheus text format."""
    return generate_latest(REGISTRY)
