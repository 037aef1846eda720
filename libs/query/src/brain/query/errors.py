"""What a read may answer instead of a result; services map each class to one status.

QueryError
├── NotBuiltError          no build has succeeded yet (409)
├── TurnedOffError         the index is turned off (409)
├── NodeNotFoundError      the index has no such node (404)
├── BadRequestError        a parameter means nothing (400)
├── IndexMovedError        a ranked listing cannot go on: the index moved (409)
├── BudgetTooSmallError    not even the smallest answer fits (400)
├── BundleUnknownError     the source has no such bundle (404)
├── BundleNotReplayableError  its text cannot be made again (409)
├── ScopeMismatchError     the document is in none of the scopes that were named (403)
├── WaitTimedOutError      the awaited commit was not indexed in time (504)
├── AwaitedBuildFailedError  the awaited build failed (409)
└── TextUnavailableError   the objects have not arrived yet (503)
"""


class QueryError(Exception):
    """The read cannot be answered."""


class NotBuiltError(QueryError):
    """The project has no index yet."""

    def __init__(self, project_id: str, state: str, reason: str, error: str) -> None:
        why = error or reason
        super().__init__(
            f"Project {project_id} has no index yet; it is {state}" + (f" ({why})." if why else ".")
        )
        self.state = state
        self.reason = reason


class TurnedOffError(QueryError):
    """The project's index is turned off."""

    def __init__(self, project_id: str) -> None:
        super().__init__(f"The index of project {project_id} is turned off.")


class NodeNotFoundError(QueryError):
    """The index has no such node."""

    def __init__(self, node: str, nearest: tuple[str, ...] = ()) -> None:
        hint = f" Nearest: {', '.join(nearest)}." if nearest else ""
        super().__init__(f"There is no node {node[:300]!r} in the indexed commit.{hint}")
        self.node = node
        self.nearest = nearest


class BadRequestError(QueryError):
    """A parameter means nothing here."""

    def __init__(self, parameter: str, problem: str) -> None:
        super().__init__(f"{parameter}: {problem}")
        self.parameter = parameter


class IndexMovedError(QueryError):
    """The index moved on since the first page, and the order with it; ask again from the start."""

    def __init__(self) -> None:
        super().__init__(str(self.__doc__))


class BudgetTooSmallError(QueryError):
    """Not even the smallest answer fits into the budget."""

    def __init__(self, minimum: int) -> None:
        super().__init__(f"maxTokens is too small for any answer; it needs at least {minimum}.")
        self.minimum = minimum


class WaitTimedOutError(QueryError):
    """The awaited commit was not indexed in time."""

    def __init__(self, commit: str, waited_s: float) -> None:
        super().__init__(f"Commit {commit} was not indexed within {waited_s:.0f} seconds.")


class AwaitedBuildFailedError(QueryError):
    """The build that was waited for failed."""

    def __init__(self, error: str) -> None:
        super().__init__(f"The build failed: {error}")


class TextUnavailableError(QueryError):
    """The text of the indexed commit has not arrived here yet; try again."""

    def __init__(self) -> None:
        super().__init__(str(self.__doc__))


class BundleUnknownError(QueryError):
    """There is no such bundle."""

    def __init__(self, bundle_id: str) -> None:
        super().__init__(f"There is no bundle {bundle_id[:100]!r} of this project.")
        self.bundle_id = bundle_id


class BundleNotReplayableError(QueryError):
    """A bundle's text cannot be made again to the byte."""

    def __init__(self, bundle_id: str, reason: str) -> None:
        super().__init__(f"Bundle {bundle_id} cannot be replayed: {reason}.")
        self.bundle_id = bundle_id
        self.reason = reason


class ScopeMismatchError(QueryError):
    """A document lies outside the scopes that were named."""

    def __init__(self, path: str, scope: str) -> None:
        super().__init__(f"{path[:300]} is in the scope {scope}, which was not named.")
        self.scope = scope
