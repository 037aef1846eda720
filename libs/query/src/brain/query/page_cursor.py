"""Page cursor: where a ranked listing goes on, bound to what was asked and of which index."""

import re

import msgspec

from brain.query.errors import BadRequestError, IndexMovedError
from brain.query.search_state import SearchState, digest

_DIGITS = 8
_CURSOR = re.compile(r"(\d{1,6})-([0-9a-f]{8})-([0-9a-f]{8})", re.ASCII)


class PageCursor(msgspec.Struct, frozen=True):
    """What the pages of one listing have in common.

    A cursor holds an offset and two digests and nothing that could be told to the wrong reader:
    whoever makes one up gets a page of what they may read anyway.
    """

    #: Everything that decides the order besides the index: the source, the node, the words.
    asked: tuple[str, ...]
    state: SearchState

    def at(self, offset: int) -> str:
        """Return the cursor of the page that begins at an offset."""
        return f"{offset}-{self._asked}-{self._state}"

    def offset_of(self, cursor: str) -> int:
        """Return where a cursor's page begins; 0 for an empty one.

        Raises:
            BadRequestError: it is none, or was given for another question.
            IndexMovedError: the index is another one since.
        """
        if not cursor:
            return 0
        found = _CURSOR.fullmatch(cursor)
        if found is None or found[2] != self._asked:
            raise BadRequestError("cursor", "was not given for these words and this node.")
        if found[3] != self._state:
            raise IndexMovedError
        return int(found[1])

    @property
    def _asked(self) -> str:
        return digest(*self.asked)[:_DIGITS]

    @property
    def _state(self) -> str:
        return digest(self.state.commit, str(self.state.builder_version))[:_DIGITS]
