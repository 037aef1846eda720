"""Last changes as answers show them: a document's own, a folder's latest."""

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from brain.store.merge import Change


class ChangeView(msgspec.Struct, frozen=True):
    """The last commit that changed something."""

    commit: str
    #: Committer date, ISO 8601, UTC.
    date: str
    #: First line of its message.
    message: str


class Changes(msgspec.Struct, frozen=True):
    """The last changes of one commit's documents, and of the folders that hold them."""

    documents: dict[str, Change]
    #: By path without slash; ``""`` is the root.
    folders: dict[str, Change]

    def of(self, path: str, *, is_folder: bool) -> ChangeView | None:
        """Return the last change of a path; None when it is not known."""
        known = (self.folders if is_folder else self.documents).get(path)
        if known is None:
            return None
        date = datetime.fromtimestamp(known.at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return ChangeView(known.commit, date, known.subject)


def changes_of(rows: Iterable[tuple[str, Change]]) -> Changes:
    """Derive what folders show: the latest committer date wins, then the greater commit id."""
    documents = dict(rows)
    folders: dict[str, Change] = {}
    for path, change in documents.items():
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            latest = folders.get(folder)
            if latest is not None and (latest.at, latest.commit) >= (change.at, change.commit):
                break
            folders[folder] = change
    return Changes(documents, folders)
