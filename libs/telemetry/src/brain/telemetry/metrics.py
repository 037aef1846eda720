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

#: ``name`` is a route or tool; ``kind`` is search, context or bundle.
TOKENS_SERVED = Counter(
    "brain_tokens_served",
    "Tokens of passages and bundles in answers.",
    ["surface", "name"],
    registry=REGISTRY,
)
CHUNKS_SERVED = Counter("brain_chunks_served", "Chunks in answers.", ["name"], registry=REGISTRY)
CHUNKS_OMITTED = Counter(
    "brain_chunks_omitted", "Chunks ranked and left out of answers.", ["name"], registry=REGISTRY
)
BUNDLE_CACHE = Counter(
    "brain_bundle_cache",
    "Bundles asked for: found in memory, in the store, or made.",
    ["result"],
    registry=REGISTRY,
)
SEARCH_SECONDS = Histogram(
    "brain_search_duration_seconds",
    "Time to rank and to gather text, without the way to the client.",
    ["kind"],
    buckets=_SECONDS,
    registry=REGISTRY,
)
JOURNAL_DROPPED = Counter(
    "brain_journal_dropped",
    "Records of answers that were dropped because too many waited.",
    registry=REGISTRY,
)


def render() -> bytes:
    """Return all metrics in Prometheus text format."""
    return generate_latest(REGISTRY)
