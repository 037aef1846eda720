"""The rest of the toolset ``tree``: changes, citations, broken links, backlinks."""

from typing import Annotated

import msgspec
from msgspec import Meta

from brain.access.principal import Principal
from brain.mcp_gateway import fit, render
from brain.mcp_gateway.arguments import Common, NodeId, project_of
from brain.mcp_gateway.gateway import Gateway
from brain.mcp_gateway.tool import Answer, Tool
from brain.query.backlinks import Backlink, BacklinksAnswer, backlinks_answer
from brain.query.broken import BrokenAnswer, BrokenView, broken_answer
from brain.query.changes import ChangedDocument, ChangesAnswer, changes_answer
from brain.query.cite import CiteAnswer, cite_answer
from brain.search.tokens import estimate_tokens

Commit = Annotated[str, Meta(description="7 to 64 hexadecimal digits.", max_length=64)]


class ChangesArguments(Common, frozen=True, kw_only=True):
    """Arguments of brain_changes."""

    since: Commit
    under: Annotated[str, Meta(description="Only in this folder or document.")] = ""


class CiteArguments(Common, frozen=True, kw_only=True):
    """Arguments of brain_cite."""

    path: Annotated[str, Meta(description="Of the document, at the citation's commit.")]
    line_start: Annotated[int, Meta(ge=1)]
    line_end: Annotated[int, Meta(ge=1)]
    commit: Commit


class BrokenArguments(Common, frozen=True, kw_only=True):
    """Arguments of brain_broken."""

    causes_from: Annotated[
        int | None, Meta(description="Say what broke the links from this one on.")
    ] = None
    causes: Annotated[int, Meta(ge=1, le=20)] = 5


class BacklinksArguments(Common, frozen=True, kw_only=True):
    """Arguments of brain_backlinks."""

    node: NodeId
    offset: Annotated[int, Meta(ge=0, description="Continue at nextOffset.")] = 0
    limit: Annotated[int, Meta(ge=1, le=100)] = 20


async def brain_changes(
    gateway: Gateway, principal: Principal, arguments: ChangesArguments
) -> Answer:
    """Say what changed since a commit."""
    project_id = await project_of(gateway, principal, arguments)
    answer = await changes_answer(gateway.reader, project_id, arguments.since, arguments.under)

    def showing(count: int) -> Answer:
        cut = answer.truncated or count < len(answer.documents)
        shown = msgspec.structs.replace(answer, documents=answer.documents[:count], truncated=cut)
        return Answer(_changes_text(shown), shown)

    costs = [fit.cost_of(each) + estimate_tokens(_change_text(each)) for each in answer.documents]
    return fit.settled(showing, costs, arguments.max_tokens)


async def brain_cite(gateway: Gateway, principal: Principal, arguments: CiteArguments) -> Answer:
    """Say where cited lines are now."""
    project_id = await project_of(gateway, principal, arguments)
    lines = (arguments.line_start, arguments.line_end)
    answer = await cite_answer(gateway.reader, project_id, arguments.path, lines, arguments.commit)
    return fit.settled(lambda _: Answer(_cite_text(answer), answer), [], arguments.max_tokens)


async def brain_broken(
    gateway: Gateway, principal: Principal, arguments: BrokenArguments
) -> Answer:
    """List links that lead nowhere."""
    project_id = await project_of(gateway, principal, arguments)
    answer = await broken_answer(
        gateway.reader,
        project_id,
        causes_from=arguments.causes_from,
        causes=arguments.causes,
    )

    def showing(count: int) -> Answer:
        cut = answer.truncated or count < len(answer.links)
        shown = msgspec.structs.replace(answer, links=answer.links[:count], truncated=cut)
        return Answer(_broken_text(shown), shown)

    costs = [fit.cost_of(each) + estimate_tokens(_link_text(each)) for each in answer.links]
    return fit.settled(showing, costs, arguments.max_tokens)


async def brain_backlinks(
    gateway: Gateway, principal: Principal, arguments: BacklinksArguments
) -> Answer:
    """List links from other pages."""
    project_id = await project_of(gateway, principal, arguments)
    answer = await backlinks_answer(
        gateway.reader,
        project_id,
        arguments.node,
        offset=arguments.offset,
        limit=arguments.limit,
    )

    def showing(count: int) -> Answer:
        end = arguments.offset + count
        shown = msgspec.structs.replace(
            answer,
            items=answer.items[:count],
            next_offset=end if end < answer.total else None,
        )
        return Answer(_backlinks_text(shown), shown)

    costs = [fit.cost_of(each) + estimate_tokens(_backlink_text(each)) for each in answer.items]
    return fit.settled(showing, costs, arguments.max_tokens)


def _changes_text(answer: ChangesAnswer) -> str:
    lines = [render.heading(answer, answer.project_id), f"changed since {answer.from_}:"]
    if not answer.documents and not answer.total:
        lines.append("Nothing changed.")
    text = "\n".join(lines) + "\n" + "".join(map(_change_text, answer.documents))
    if answer.truncated:
        text += f"{answer.total} documents in all; name a folder with `under` for fewer.\n"
    return text


def _change_text(document: ChangedDocument) -> str:
    came = f" (was {document.old_path})" if document.old_path else ""
    count = f" +{document.added} -{document.removed}" if document.added is not None else ""
    lines = [f"- {document.status} {document.path}{came}{count}"]
    lines += [f"  - {part.status} {part.node_id}" for part in document.sections]
    return "\n".join(lines) + "\n"


def _cite_text(answer: CiteAnswer) -> str:
    where = answer.path
    if answer.line_start is not None:
        where += f":{answer.line_start}-{answer.line_end}"
    by = f" Replaced by {', '.join(answer.superseded_by)}." if answer.superseded_by else ""
    return f"{render.heading(answer, answer.project_id)}\n{answer.state}: {where}.{by}\n"


def _broken_text(answer: BrokenAnswer) -> str:
    head = f"{render.heading(answer, answer.project_id)}\n{answer.total} broken links.\n"
    return head + "".join(map(_link_text, answer.links))


def _link_text(link: BrokenView) -> str:
    cause = link.cause
    why = "" if cause is msgspec.UNSET else f" ({cause})"
    if not isinstance(cause, str | msgspec.UnsetType):
        moved = f", now probably {cause.likely_target}" if cause.likely_target else ""
        why = f" (since {cause.commit}: {cause.message}{moved})"
    return f"- {link.from_}:{link.line} {link.kind} {link.target}{why}\n"


def _backlinks_text(answer: BacklinksAnswer) -> str:
    head = f"{render.heading(answer, answer.project_id)}\n{answer.total} links from other pages.\n"
    text = head + "".join(map(_backlink_text, answer.items))
    if answer.next_offset is not None:
        text += f"Continue with offset {answer.next_offset}.\n"
    return text


def _backlink_text(item: Backlink) -> str:
    return f"- {item.node.id} (line {item.line}, {item.link_kind}) -> {item.target}\n"


TOOLS = (
    Tool(
        "brain_changes",
        "Show what changed",
        "Show which documents and sections changed from an earlier commit, such as a citation's, "
        "to the indexed one.",
        ChangesArguments,
        ChangesAnswer,
        brain_changes,
    ),
    Tool(
        "brain_cite",
        "Check a citation",
        "Find where the lines of an old citation are now: same, moved, edited, gone or superseded.",
        CiteArguments,
        CiteAnswer,
        brain_cite,
    ),
    Tool(
        "brain_broken",
        "List broken links",
        "List the links that lead nowhere; with causesFrom also the commit that broke each.",
        BrokenArguments,
        BrokenAnswer,
        brain_broken,
    ),
    Tool(
        "brain_backlinks",
        "List backlinks",
        "List the sections of other pages that link to a page, or to one heading or card of it.",
        BacklinksArguments,
        BacklinksAnswer,
        brain_backlinks,
    ),
)
