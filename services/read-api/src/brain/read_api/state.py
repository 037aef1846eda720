"""What the routes work with, wired once and handed to every route."""

from faststream.nats import NatsBroker

from brain.query.authenticator import Authenticator
from brain.query.questions import Questions
from brain.read_api.live import LiveEvents


class Api:
    """The read-api's collaborators."""

    def __init__(
        self,
        broker: NatsBroker,
        authenticator: Authenticator,
        live: LiveEvents,
        questions: Questions,
        *,
        metrics_need_token: bool,
    ) -> None:
        self.pool = questions.pool
        self.reader = questions.reader
        self.broker = broker
        self.authenticator = authenticator
        self.live = live
        self.questions = questions
        self.metrics_need_token = metrics_need_token
