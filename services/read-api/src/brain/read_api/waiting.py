"""``waitFor``: have the remote looked at, then wait until the commit is indexed."""

import re

from brain.events.look import hint_look
from brain.query.errors import BadRequestError
from brain.query.reader import LONGEST_WAIT_S
from brain.read_api.state import Api
from brain.store.pool import transaction
from brain.store.sources import find_project_source

_COMMIT = re.compile(r"[0-9a-f]{7,64}")


async def wait_if_asked(api: Api, project_id: str, commit: str | None) -> None:
    """Return at once without a commit, else when the index has reached it.

    Raises:
        BadRequestError: it is not 7 to 64 lower-case hex digits.
        WaitTimedOutError, AwaitedBuildFailedError: it was not reached.
    """
    if commit is None:
        return
    if not _COMMIT.fullmatch(commit):
        raise BadRequestError("waitFor", "must be 7 to 64 lower-case hexadecimal digits.")
    async with transaction(api.pool) as connection:
        source = await find_project_source(connection, project_id)
    if not source.indexed_commit.startswith(commit):
        await hint_look(api.broker, source.id, LONGEST_WAIT_S / 2)
        await api.reader.wait_for(project_id, commit)
