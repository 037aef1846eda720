"""Look: ask the watcher to fetch one source at once. NATS request and reply."""

import msgspec


class LookRequest(msgspec.Struct, frozen=True):
    """Fetch now.

    Sent by the read-api for a build command or a ``waitFor``; answered by a watcher.
    """


class LookReply(msgspec.Struct, frozen=True):
    """What the remote's branch is at, or why it cannot be told."""

    branch: str = ""
    commit: str = ""
    #: Empty, or the reason: ``empty``, ``branch-gone``, ``unreachable`` and so on.
    reason: str = ""
    error: str = ""
