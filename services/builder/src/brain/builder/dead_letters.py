"""Dead letters: a message that outlived five deliveries is kept aside and its source marked."""

import logging

import msgspec
import nats.errors
from faststream.nats import NatsBroker
from nats.js.errors import NotFoundError

from brain.events.stream import DEAD_STREAM, WORK_STREAM
from brain.events.subjects import dead_subject, source_of
from brain.store.builds import record_poison
from brain.store.pool import Pool, transaction

log = logging.getLogger(__name__)


class Advisory(msgspec.Struct, frozen=True):
    """The server's notice that a message reached its last delivery."""

    stream_seq: int


class DeadLetters:
    """Moves given-up messages from the work stream to the dead-letter stream."""

    def __init__(self, broker: NatsBroker, pool: Pool) -> None:
        self._broker = broker
        self._pool = pool

    async def on_last_delivery(self, advisory: Advisory) -> None:
        """Copy the message, mark its source failed, then delete it so the subject is free again.

        Safe to repeat: a message already gone was handled before.
        """
        js = (await self._broker.connect()).jetstream()
        try:
            message = await js.get_msg(WORK_STREAM, advisory.stream_seq)
        except NotFoundError:
            return
        source_id = source_of(str(message.subject))
        log.error("message given up", extra={"action": "dead-letter", "source": source_id})
        await js.publish(dead_subject(source_id), message.data or b"", stream=DEAD_STREAM)
        async with transaction(self._pool) as connection:
            await record_poison(
                connection, source_id, "Every builder that took this build died; it was given up."
            )
        try:
            await js.delete_msg(WORK_STREAM, advisory.stream_seq)
        except nats.errors.Error:
            log.warning("dead letter not deleted", extra={"source": source_id})
