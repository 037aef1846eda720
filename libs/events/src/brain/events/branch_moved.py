"""BranchMoved: a followed branch is at another commit than the one last built."""

import msgspec


class BranchMoved(msgspec.Struct, frozen=True):
    """A hint to look, and nothing else: the demand itself is a row in the store.

    Published by the watcher when a tip moved and by its reconcile for demand that still waits;
    by the read-api after a manager's request; by a builder for demand that came while it built.
    Consumed by builders, one at a time a lane. May repeat and may be lost: a builder re-reads the
    row, and the reconcile republishes what is owed.
    """
