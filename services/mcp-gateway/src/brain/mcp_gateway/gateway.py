"""Gateway: what the tools work with, wired once."""

import re
from copy import copy

from faststream.nats import NatsBroker

from brain.access.principal import Principal
from brain.events.look import hint_look
from brain.query.authenticator import Authenticator
from brain.query.caller import Caller
from brain.query.chosen_project import chosen_project
from brain.query.errors import BadRequestError
from brain.query.questions import Questions
from brain.query.reader import LONGEST_WAIT_S
from brain.store.pool import Pool, transaction
from brain.store.sources import find_project_source

_COMMIT = re.compile(r"[0-9a-f]{7,64}")


class Gateway:
    """The mcp-gateway's collaborators."""

    def __init__(
        self,
        pool: Pool,
        broker: NatsBroker,
        authenticator: Authenticator,
        questions: Questions,
    ) -> None:
        self.pool = pool
        self.reader = questions.reader
        self.broker = broker
        self.authenticator = authenticator
        self.questions = questions
        self.caller = Caller("mcp")

    def called_by(self, caller: Caller) -> "Gateway":
        """Return the same gateway for one call."""
        gateway = copy(self)
        gateway.caller = caller
        return gateway

    async def project_of(self, principal: Principal, project_id: str) -> str:
        """Return the project a call is about; a token that sees just one need not name it.

        Raises:
            BadRequestError: none is named, and the token sees none or several.
            NoAccessError: there is no such project for this token.
            NotPermittedError: the token lacks ``member.read``.
        """
        return await chosen_project(self.reader, principal, project_id, "projectId")

    async def wait_if_asked(self, project_id: str, commit: str) -> None:
        """Return at once without a commit, else when the index has reached it.

        Raises:
            BadRequestError: it is not 7 to 64 lower-case hex digits.
            WaitTimedOutError, AwaitedBuildFailedError: it was not reached.
        """
        if not commit:
            return
        if not _COMMIT.fullmatch(commit):
            raise BadRequestError("waitFor", "must be 7 to 64 lower-case hexadecimal digits.")
        async with transaction(self.pool) as connection:
            source = await find_project_source(connection, project_id)
        if not source.indexed_commit.startswith(commit):
            await hint_look(self.broker, source.id, LONGEST_WAIT_S / 2)
            await self.reader.wait_for(project_id, commit)
