"""The toolset ``search``: ranked passages."""

from typing import Annotated

import msgspec
from msgspec import Meta

from brain.access.principal import Principal
from brain.mcp_gateway import fit, render
from brain.mcp_gateway.arguments import Common, project_of
from brain.mcp_gateway.gateway import Gateway
from brain.mcp_gateway.tool import Answer, Tool
from brain.query.ranking import Filters, Mode
from brain.query.search import DEFAULT_K, MOST_K, Hit, SearchAnswer, SearchOptions
from brain.search.tokens import estimate_tokens

Scopes = Annotated[
    list[str],
    Meta(description="Only these scopes, such as domain or projects/x; * is all.", max_length=50),
]


class SearchArguments(Common, frozen=True, kw_only=True):
    """Arguments of brain_search."""

    query: Annotated[str, Meta(description="A question, in your own words.", max_length=10_000)]
    k: Annotated[int, Meta(ge=1, le=MOST_K)] = DEFAULT_K
    scopes: Scopes = msgspec.field(default_factory=list[str])
    under: Annotated[str, Meta(description="Only in this folder or document.")] = ""
    labels: Annotated[list[str], Meta(max_length=20)] = msgspec.field(default_factory=list[str])
    status: Annotated[str, Meta(description="Only documents with this status.")] = ""
    mode: Mode = "hybrid"


async def brain_search(
    gateway: Gateway, principal: Principal, arguments: SearchArguments
) -> Answer:
    """Find the passages that answer a question."""
    project_id = await project_of(gateway, principal, arguments)
    filters = Filters(
        tuple(arguments.scopes), arguments.under, tuple(arguments.labels), arguments.status
    )
    options = SearchOptions(filters, arguments.mode, arguments.k)
    answer = await gateway.questions.search(gateway.caller, project_id, arguments.query, options)

    def showing(count: int) -> Answer:
        shown = msgspec.structs.replace(answer, hits=answer.hits[:count])
        return Answer(_search_text(shown), shown)

    costs = [fit.cost_of(each) + estimate_tokens(_hit_text(each)) for each in answer.hits]
    return fit.settled(showing, costs, arguments.max_tokens)


def _search_text(answer: SearchAnswer) -> str:
    head = [render.heading(answer, answer.project_id), *answer.warnings]
    if not answer.hits:
        return "\n".join(head) + "\n"
    hits = render.envelope("".join(map(_hit_text, answer.hits)).rstrip("\n"), 'kind="hits"')
    return "\n".join((*head, hits)) + "\n"


def _hit_text(hit: Hit) -> str:
    lines = f"{hit.citation.line_start}-{hit.citation.line_end}"
    standing = ""
    if isinstance(hit.status, str):
        by = f", see {hit.replaced_by}" if isinstance(hit.replaced_by, str) else ""
        standing = f" [{hit.status}{by}]"
    return f"- {hit.node_id} (lines {lines}){standing} {hit.breadcrumb}\n  {hit.snippet}\n"


TOOLS = (
    Tool(
        "brain_search",
        "Search",
        "Find the passages that answer a question, best first. Says how sure it is; read the node "
        "with brain_read before you cite it.",
        SearchArguments,
        SearchAnswer,
        brain_search,
    ),
)
