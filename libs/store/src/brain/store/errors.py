"""What callers of the store may catch.

StoreError
├── StoreUnavailableError   the database cannot be reached or gave up; try again
├── SchemaTooNewError       the database was migrated by a newer release
├── ProjectExistsError      a project of that id exists with another remote or branch
├── ProjectNotFoundError    no such project
├── SourceGoneError         the source was removed while it was worked on
└── FenceLostError          another build of the source has begun since
"""


class StoreError(Exception):
    """The store refused."""


class StoreUnavailableError(StoreError):
    """The database cannot be reached at the moment."""

    def __init__(self, detail: str) -> None:
        super().__init__(f"{self.__doc__} ({detail})")
        self.detail = detail


class SchemaTooNewError(StoreError):
    """The database schema needs a newer release of Brain."""

    def __init__(self, needed: int, have: int) -> None:
        super().__init__(
            f"The database schema needs code version {needed} and this is {have}: "
            "upgrade Brain, or point it at another database."
        )
        self.needed = needed
        self.have = have


class ProjectExistsError(StoreError):
    """A project of that id exists with another repository or branch."""

    def __init__(self, project_id: str) -> None:
        super().__init__(
            f"Project {project_id} exists with another repository or branch; remove it first."
        )
        self.project_id = project_id


class ProjectNotFoundError(StoreError):
    """There is no such project."""

    def __init__(self, project_id: str) -> None:
        super().__init__(f"There is no project {project_id}.")
        self.project_id = project_id


class SourceGoneError(StoreError):
    """The source was removed while it was worked on."""

    def __init__(self, source_id: int) -> None:
        super().__init__(f"Source {source_id} no longer exists.")
        self.source_id = source_id


class FenceLostError(StoreError):
    """Another build of this source has begun since this one started."""

    def __init__(self, source_id: int, fence: int) -> None:
        super().__init__(f"Build {fence} of source {source_id} was overtaken; nothing was written.")
        self.source_id = source_id
        self.fence = fence
