"""What the routes work with, wired once and handed to every route."""

from faststream.nats import NatsBroker

from brain.query.authenticator import Authenticator
from brain.query.reader import Reader
from brain.read_api.live import LiveEvents
from brain.store.pool import Pool


class Api:
    """The read-api's collaborators."""

    def __init__(
        self,
        pool: Pool,
        reader: Reader,
        broker: NatsBroker,
        authenticator: Authenticator,
        live: LiveEvents,
        *,
        metrics_need_token: bool,
    ) -> None:
        self.pool = pool
        self.reader = reader
        self.broker = broker
        self.authenticator = authenticator
        self.live = live
        self.metrics_need_token = metrics_need_token
