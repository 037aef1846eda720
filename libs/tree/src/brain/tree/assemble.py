"""Folders from documents, bottom-up."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from brain.tree.child_order import child_order
from brain.tree.config import TreeConfig
from brain.tree.document import FolderRow
from brain.tree.node import Node
from brain.tree.summary import FOLDER_RULES
from brain.tree.summary.nodes import first_rule
from brain.tree.summary.subject import Entry, FolderSubject

ROOT = ""


def parent_folder(path: str) -> str:
    """Return the folder that holds *path*, without a trailing slash; the root for a top entry."""
    return path.rpartition("/")[0]


def folders_above(path: str) -> tuple[str, ...]:
    """Return the folders above *path*, the nearest first and the root last; the root has none."""
    above: list[str] = []
    while path:
        path = parent_folder(path)
        above.append(path)
    return tuple(above)


def assemble_folders(heads: Mapping[str, Node], config: TreeConfig) -> tuple[FolderRow, ...]:
    """Make the row of every folder that holds a document at any depth, and of the root.

    Args:
        heads: path of each indexed document to its node 0, in any order.
        config: gives the layout.

    Returns:
        Rows in order of path; the root (first) exists even without documents.
    """
    documents: dict[str, list[tuple[str, Node]]] = defaultdict(list)
    subfolders: dict[str, set[str]] = defaultdict(set)
    for path, head in heads.items():
        documents[parent_folder(path)].append((path, head))
        _hang_folders(path, subfolders)
    paths = {ROOT}.union(*subfolders.values())
    rows: dict[str, FolderRow] = {}
    for path in sorted(paths, key=_deepest_first):
        below = [rows[child] for child in subfolders[path]]
        rows[path] = folder_row(path, below, documents[path], config)
    return tuple(rows[path] for path in sorted(paths))


def _hang_folders(path: str, subfolders: dict[str, set[str]]) -> None:
    folder = parent_folder(path)
    while folder:
        above = parent_folder(folder)
        if folder in subfolders[above]:
            return
        subfolders[above].add(folder)
        folder = above


def _deepest_first(path: str) -> int:
    return -(path.count("/") + 1) if path else 0


def folder_row(
    path: str,
    folders: Sequence[FolderRow],
    documents: Sequence[tuple[str, Node]],
    config: TreeConfig,
) -> FolderRow:
    """Make one folder's row from its direct children, given in any order.

    Args:
        path: without trailing slash, empty for the root.
        folders: rows of the direct subfolders.
        documents: path and node 0 of the direct documents.
        config: gives the layout.
    """
    entries = _entries(folders, documents)
    subject = FolderSubject(entries, dict(config.layout).get(path, ""))
    summary, source = first_rule(FOLDER_RULES, subject)
    document_count = sum(entry.document_count for entry in entries)
    only = [entry.only_document_title for entry in entries] if document_count == 1 else [""]
    return FolderRow(
        path=path,
        title=path.rpartition("/")[2] or "/",
        summary=summary,
        summary_source=source,
        size_chars=sum(row.size_chars for row in folders)
        + sum(head.size_chars for _, head in documents),
        child_count=len(entries),
        document_count=document_count,
        only_document_title=only[0],
    )


def _entries(
    folders: Iterable[FolderRow], documents: Iterable[tuple[str, Node]]
) -> tuple[Entry, ...]:
    entries = [_folder_entry(row) for row in folders]
    entries += [_document_entry(path, head) for path, head in documents]
    return tuple(sorted(entries, key=lambda e: child_order(e.name, is_folder=e.is_folder)))


def _folder_entry(row: FolderRow) -> Entry:
    return Entry(
        name=row.title,
        title=row.title,
        summary=row.summary,
        is_folder=True,
        document_count=row.document_count,
        only_document_title=row.only_document_title,
    )


def _document_entry(path: str, head: Node) -> Entry:
    return Entry(
        name=path.rpartition("/")[2],
        title=head.title,
        summary=head.summary,
        is_folder=False,
        document_count=1,
        only_document_title=head.title,
    )
