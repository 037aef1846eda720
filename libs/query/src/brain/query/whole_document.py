"""A whole document with its links, both ways."""

from collections.abc import Sequence

import msgspec

from brain.query.backlinks import backlinks_answer
from brain.query.errors import BadRequestError, NodeNotFoundError, ScopeMismatchError
from brain.query.freshness import PlainFreshness
from brain.query.node_ref import FoundNode, find_node
from brain.query.read import PORTAL_CHARACTERS, ReadOptions, read_node
from brain.query.reader import Reader
from brain.query.scopes import EVERYWHERE, scope_of
from brain.query.view import View
from brain.store.index import StoredDocument

_MOST_BACKLINKS = 100
_MOST_SCOPES = 50


class PlainLink(msgspec.Struct, frozen=True):
    """A link to another node, or from one."""

    node_id: str
    title: str
    kind: str
    line: int


class DocumentAnswer(PlainFreshness, frozen=True, kw_only=True):
    """A document as it stands in Git, front matter included."""

    doc_path: str
    title: str
    scope: str
    status: str
    labels: list[str]
    content: str
    line_start: int
    line_end: int
    #: Where to go on reading with brain_read; None when *content* is the whole.
    next_line: int | None
    links: list[PlainLink]
    links_total: int
    backlinks: list[PlainLink]
    backlinks_total: int


async def document_answer(
    reader: Reader, project_id: str, path: str, scopes: Sequence[str] = ()
) -> DocumentAnswer:
    """Return a document; very long ones up to `PORTAL_CHARACTERS`.

    Args:
        reader: of this process.
        project_id: the project.
        path: of the document.
        scopes: those it must be in one of; empty for any.

    Raises:
        NodeNotFoundError: there is no such document.
        ScopeMismatchError: it is in none of the scopes.
        TextUnavailableError: the objects have not arrived.
    """
    if len(scopes) > _MOST_SCOPES:
        raise BadRequestError("scopes", f"must be at most {_MOST_SCOPES}.")

    async def use(view: View) -> StoredDocument:
        found = await find_node(view, path)
        if not isinstance(found, FoundNode) or found.number:
            raise NodeNotFoundError(path)
        return found.document

    document = await reader.answer(project_id, use)
    scope = scope_of(document.path)
    wanted = {each.strip().strip("/") for each in scopes}
    if wanted and not wanted & {scope, EVERYWHERE}:
        raise ScopeMismatchError(document.path, scope)
    return await _answer(reader, project_id, document)


async def _answer(reader: Reader, project_id: str, document: StoredDocument) -> DocumentAnswer:
    options = ReadOptions("subtree", 0, PORTAL_CHARACTERS, line_numbers=False)
    pointer, read = await read_node(reader, project_id, document.path, options)
    back = await backlinks_answer(
        reader, project_id, document.path, offset=0, limit=_MOST_BACKLINKS
    )
    facts = document.head.facts
    return DocumentAnswer(
        **msgspec.structs.asdict(await reader.freshness(pointer)),
        doc_path=document.path,
        title=read.node.title,
        scope=scope_of(document.path),
        status=facts.status,
        labels=list(facts.labels),
        content=read.text,
        line_start=read.citation.line_start if read.citation else 1,
        line_end=read.citation.line_end if read.citation else 0,
        next_line=read.next_line,
        links=[PlainLink(each.id, each.title, each.kind, each.line) for each in read.outgoing],
        links_total=read.outgoing_total,
        backlinks=[
            PlainLink(each.node.id, each.node.title, each.link_kind, each.line)
            for each in back.items
        ],
        backlinks_total=back.total,
    )
