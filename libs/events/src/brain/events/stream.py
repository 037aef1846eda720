"""The JetStream topology: created or brought up to date in one idempotent step.

Settings and their reasons: docs/decisions/0003-demand-rows-and-empty-messages.md.
"""

from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)
from nats.js.errors import APIError, NotFoundError

from brain.events.subjects import LANE_COUNT, WorkClass, lane_consumer, lane_subjects

WORK_STREAM = "BRAIN_WORK"
DEAD_STREAM = "BRAIN_DEAD"
ADVISORY_STREAM = "BRAIN_ADVISORIES"
WORK_CLASSES: tuple[WorkClass, ...] = ("fresh", "background")

#: A message unacknowledged this long, without a heartbeat, is delivered again.
ACK_WAIT_S = 30.0
#: Heartbeats come well inside ACK_WAIT_S.
HEARTBEAT_S = 8.0
MAX_DELIVERIES = 5

#: Refusal of a publish because one message of the subject waits already: success for us.
ALREADY_WAITING = 10077

_ADVISORIES = f"$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{WORK_STREAM}.*"
_WEEK_S = 7 * 24 * 3600.0


def work_stream(replicas: int) -> StreamConfig:
    """Describe the work stream: one message in flight and one waiting a source, the rest refused.

    Two a subject and discard *new* coalesce; one and discard *old* would free the slot of the
    message in flight and let two builders work on one source.
    """
    return StreamConfig(
        name=WORK_STREAM,
        subjects=[f"brain.v1.{work_class}.*.*" for work_class in WORK_CLASSES],
        retention=RetentionPolicy.WORK_QUEUE,
        storage=StorageType.FILE,
        max_msgs_per_subject=2,
        discard=DiscardPolicy.NEW,
        discard_new_per_subject=True,
        max_msg_size=64 * 1024,
        num_replicas=replicas,
        duplicate_window=120.0,
    )


def lane_config(work_class: WorkClass, lane: int, ack_wait_s: float) -> ConsumerConfig:
    """Describe one lane's consumer: one message at a time, shared by all builders."""
    return ConsumerConfig(
        durable_name=lane_consumer(work_class, lane),
        filter_subject=lane_subjects(work_class, lane),
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=ack_wait_s,
        max_deliver=MAX_DELIVERIES,
        max_ack_pending=1,
    )


async def ensure_topology(
    js: JetStreamContext, *, replicas: int = 1, ack_wait_s: float = ACK_WAIT_S
) -> None:
    """Create or update streams and consumers; safe to run at any time by any service.

    Raises:
        nats.errors.Error: NATS is not reachable or refuses the configuration.
    """
    await _ensure_stream(js, work_stream(replicas))
    await _ensure_stream(js, _kept(DEAD_STREAM, "brain.v1.dead.*", replicas))
    await _ensure_stream(js, _kept(ADVISORY_STREAM, _ADVISORIES, replicas))
    existing = {info.name: info.config for info in await js.consumers_info(WORK_STREAM)}
    for work_class in WORK_CLASSES:
        for lane in range(LANE_COUNT):
            wanted = lane_config(work_class, lane, ack_wait_s)
            if not _same_consumer(existing.get(str(wanted.durable_name)), wanted):
                await js.add_consumer(WORK_STREAM, wanted)


def _kept(name: str, subject: str, replicas: int) -> StreamConfig:
    return StreamConfig(
        name=name,
        subjects=[subject],
        storage=StorageType.FILE,
        max_msgs=10_000,
        max_age=_WEEK_S,
        num_replicas=replicas,
    )


def _same_consumer(present: ConsumerConfig | None, wanted: ConsumerConfig) -> bool:
    return present is not None and all(
        getattr(present, field) == getattr(wanted, field)
        for field in ("filter_subject", "ack_wait", "max_deliver", "max_ack_pending")
    )


async def _ensure_stream(js: JetStreamContext, config: StreamConfig) -> None:
    try:
        await js.stream_info(str(config.name))
    except NotFoundError:
        await js.add_stream(config)
    else:
        await js.update_stream(config)


def is_already_waiting(error: APIError) -> bool:
    """Tell whether a refused publish means that one message of the subject waits already."""
    return error.err_code == ALREADY_WAITING
