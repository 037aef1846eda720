"""The corpus: every document of one commit, read, parsed and put together."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence

import msgspec

from brain.builder.gathered import Gathered
from brain.builder.job import Progress, Started
from brain.builder.parsing import Entry, parse_all
from brain.gitmirror.libgit2 import ObjectMissingError
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.snapshot import MarkdownEntry, Snapshot, open_snapshot
from brain.telemetry.tracing import span
from brain.tree.assemble import assemble_folders
from brain.tree.config import TreeConfig, parse_config
from brain.tree.document import DocumentRow, FolderRow
from brain.tree.inclusion import MAX_DOCUMENTS, Verdict, judge_entry
from brain.tree.reference import Definition
from brain.tree.resolve import outside_keys

_CONFIG_PATH = b".brain/config.yaml"
_MOST_CONFIG_BYTES = 64 * 1024

Send = Callable[[Started | Progress], None]


class CorpusError(Exception):
    """This commit cannot be indexed."""


class Corpus(msgspec.Struct, frozen=True):
    """What one commit holds: rows in path order (bytes), and counts of what was left out."""

    documents: tuple[DocumentRow, ...]
    folders: tuple[FolderRow, ...]
    outside: tuple[Definition, ...]
    config: TreeConfig
    counts: dict[str, int]
    left_out: dict[str, int]
    #: Documents whose blobs no build had parsed before.
    parsed_count: int
    #: Documents plain enough for the fast parser.
    fast_count: int
    #: The chunks of those that search does not have as they are.
    gathered: Gathered


class Selection(msgspec.Struct, frozen=True):
    """Which entries are indexed, and why the others are not."""

    included: list[tuple[str, str]]
    outside: list[str]
    left_out: Counter[str]


def read_corpus(
    mirror: Mirror,
    commit: str,
    on_selected: Callable[[list[Entry], TreeConfig], Container[str]],
    send: Send,
) -> Corpus:
    """Read, parse and assemble a commit; a function of its objects and the builder alone.

    Args:
        mirror: where its objects are.
        commit: 40 hex digits.
        on_selected: told path and blob of all documents before they are parsed; returns the paths
            whose chunks are wanted for search.
        send: told the progress.

    Raises:
        MirrorError: an object of the commit is not here or damaged.
        TreeTooLargeError: the tree has too many entries.
    """
    snapshot = open_snapshot(mirror.root, mirror.source_id, commit)
    with span("build.read"):
        config, warnings = read_config(snapshot)
        selection = select(snapshot.markdown_entries())
    analysed = on_selected(selection.included, config)
    with span("build.parse", documents=len(selection.included)):
        parsed = parse_all(mirror, commit, selection.included, config, analysed, send)
        documents = parsed.documents
    with span("build.assemble", documents=len(documents)):
        send(Progress("assembling", 0, len(documents)))
        folders = assemble_folders({row.path: row.nodes[0] for row in documents}, config)
    counts = count(documents, folders)
    counts["configWarnings"] = len(warnings)
    return Corpus(
        documents=documents,
        folders=folders,
        outside=tuple(key for path in selection.outside for key in outside_keys(path)),
        config=config,
        counts=counts,
        left_out=dict(sorted(selection.left_out.items())),
        parsed_count=parsed.parsed_count,
        fast_count=parsed.fast_count,
        gathered=parsed.gathered,
    )


def read_config(snapshot: Snapshot) -> tuple[TreeConfig, tuple[str, ...]]:
    """Read the repository's own settings; absent or unusable ones are the defaults."""
    try:
        data = snapshot.read(_CONFIG_PATH)
    except ObjectMissingError:
        return TreeConfig(), ()
    if len(data) > _MOST_CONFIG_BYTES:
        return TreeConfig(), ("config.yaml is larger than 64 KiB and was not read",)
    return parse_config(data)


def select(entries: Iterable[MarkdownEntry]) -> Selection:
    """Judge every Markdown entry; of those that may be indexed the first 20,000 by path are."""
    included: list[tuple[str, str]] = []
    outside: list[str] = []
    left_out: Counter[str] = Counter()
    for entry in entries:
        verdict = verdict_of(entry)
        if verdict is None:
            continue
        if verdict.reason is None:
            included.append((verdict.path, entry.oid))
            continue
        left_out[verdict.reason] += 1
        if verdict.path:
            outside.append(verdict.path)
    included.sort(key=lambda each: each[0].encode())
    for path, _ in included[MAX_DOCUMENTS:]:
        left_out["over-limit"] += 1
        outside.append(path)
    return Selection(included[:MAX_DOCUMENTS], sorted(outside), left_out)


def verdict_of(entry: MarkdownEntry) -> Verdict | None:
    """Judge an entry; what the walk itself refused has a name that no path may have."""
    if entry.kind in ("refused-name", "duplicate", "too-deep"):
        return Verdict("", "bad-name")
    return judge_entry(entry.path, entry.mode, entry.size)


def count(documents: Sequence[DocumentRow], folders: Sequence[FolderRow]) -> dict[str, int]:
    """Count what an index holds, for its status."""
    kinds = Counter(node.kind for row in documents for node in row.nodes)
    return {
        "documents": len(documents),
        "folders": max(0, len(folders) - 1),
        "sections": kinds["section"],
        "cards": kinds["card"],
        "references": sum(len(row.references) for row in documents),
        "warnings": sum(len(row.warnings) for row in documents),
    }
