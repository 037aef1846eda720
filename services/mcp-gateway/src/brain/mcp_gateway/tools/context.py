"""The rest of the toolset ``search``: bundles, passages with text, whole documents, feedback."""

from typing import Annotated

import msgspec
from msgspec import Meta

from brain.access.principal import Principal
from brain.mcp_gateway import fit, render
from brain.mcp_gateway.arguments import PlainCommon, project_of
from brain.mcp_gateway.fit_context import ContextStructure, fit_context
from brain.mcp_gateway.fit_document import DocumentStructure, fit_document
from brain.mcp_gateway.gateway import Gateway
from brain.mcp_gateway.tool import Answer, Tool
from brain.query.bundle_answer import ListedBundle, listed_bundle
from brain.query.bundles import DEFAULT_TOKENS, MOST_TOKENS, BundleTask
from brain.query.context import ContextOptions
from brain.query.errors import BudgetTooSmallError
from brain.query.scope_list import ScopeCount, ScopesAnswer, scopes_answer
from brain.query.search import MOST_K
from brain.query.usage import UsageAnswer, report_usage
from brain.query.whole_document import document_answer
from brain.search.tokens import estimate_tokens

Scopes = Annotated[
    list[str], Meta(description="Only these scopes, see list_scopes; * is all.", max_length=50)
]
Paths = Annotated[
    list[str],
    Meta(
        description="Code paths that the task touches: documents that govern them lead.",
        max_length=50,
    ),
]
MaxTokens = Annotated[int, Meta(description="Bounds the whole answer.", ge=1, le=MOST_TOKENS)]


class ContextArguments(PlainCommon, frozen=True, kw_only=True):
    """Arguments of search_context."""

    query: Annotated[str, Meta(description="A question, in your own words.", max_length=10_000)]
    max_tokens: MaxTokens = DEFAULT_TOKENS
    scopes: Scopes = msgspec.field(default_factory=list[str])
    top_k: Annotated[int, Meta(ge=1, le=MOST_K)] = 8
    paths: Paths = msgspec.field(default_factory=list[str])


class BundleArguments(PlainCommon, frozen=True, kw_only=True):
    """Arguments of compile_bundle."""

    task_description: Annotated[
        str, Meta(description="What you are about to do.", max_length=10_000)
    ]
    max_tokens: MaxTokens = DEFAULT_TOKENS
    scopes: Scopes = msgspec.field(default_factory=list[str])
    paths: Paths = msgspec.field(default_factory=list[str])


class DocumentArguments(PlainCommon, frozen=True, kw_only=True):
    """Arguments of get_document."""

    doc_path: Annotated[str, Meta(description="Path of the document.", max_length=2_000)]
    scopes: Scopes = msgspec.field(default_factory=list[str])
    max_tokens: MaxTokens = fit.DEFAULT_TOKENS


class ScopesArguments(PlainCommon, frozen=True, kw_only=True):
    """Arguments of list_scopes."""

    max_tokens: MaxTokens = fit.DEFAULT_TOKENS


class UsageArguments(PlainCommon, frozen=True, kw_only=True):
    """Arguments of report_usage."""

    bundle_id: Annotated[str, Meta(max_length=100)]
    useful_chunk_ids: Annotated[
        list[str], Meta(description="Of the bundle's sections; node ids do as well.")
    ]


async def search_context(
    gateway: Gateway, principal: Principal, arguments: ContextArguments
) -> Answer:
    """Give the text of the passages that answer a question."""
    project_id = await project_of(gateway, principal, arguments)
    options = ContextOptions(
        arguments.max_tokens,
        tuple(arguments.scopes),
        arguments.top_k,
        tuple(arguments.paths),
    )
    answer = await gateway.questions.context(gateway.caller, project_id, arguments.query, options)
    return fit_context(answer, arguments.max_tokens)


async def compile_bundle(
    gateway: Gateway, principal: Principal, arguments: BundleArguments
) -> Answer:
    """Give the passages that a task needs as one text."""
    project_id = await project_of(gateway, principal, arguments)
    asked = BundleTask(
        arguments.task_description,
        arguments.max_tokens,
        tuple(arguments.scopes),
        tuple(arguments.paths),
        for_agent=True,
    )
    pointer, bundle = await gateway.questions.bundle(gateway.caller, project_id, asked)
    # the mark is a function of the bundle, so that equal bundles are equal to the byte; it holds
    # the commit's own hash, which no document of that commit can know
    mark = f"{int(bundle.id, 16) % 10**14:014}"
    text = render.envelope(bundle.text.rstrip("\n"), 'kind="bundle"', mark) + "\n"
    answer = Answer(text, await listed_bundle(gateway.reader, pointer, bundle))
    if fit.spent(answer) > arguments.max_tokens:
        raise BudgetTooSmallError(fit.spent(answer))
    return answer


async def get_document(
    gateway: Gateway, principal: Principal, arguments: DocumentArguments
) -> Answer:
    """Give a whole document as far as the budget holds it."""
    project_id = await project_of(gateway, principal, arguments)
    answer = await document_answer(gateway.reader, project_id, arguments.doc_path, arguments.scopes)
    return fit_document(answer, arguments.max_tokens)


async def list_scopes(gateway: Gateway, principal: Principal, arguments: ScopesArguments) -> Answer:
    """List the scopes."""
    project_id = await project_of(gateway, principal, arguments)
    answer = await scopes_answer(gateway.reader, project_id)

    def showing(count: int) -> Answer:
        shown = msgspec.structs.replace(answer, scopes=answer.scopes[:count])
        text = "".join(map(_scope_text, shown.scopes))
        return Answer(text + f"{answer.total} scopes, {count} shown.\n", shown)

    costs = [fit.cost_of(each) + estimate_tokens(_scope_text(each)) + 1 for each in answer.scopes]
    return fit.settled(showing, costs, arguments.max_tokens)


async def report_bundle_usage(
    gateway: Gateway, principal: Principal, arguments: UsageArguments
) -> Answer:
    """Record what was useful."""
    project_id = await project_of(gateway, principal, arguments)
    answer = await report_usage(
        gateway.questions,
        project_id,
        arguments.bundle_id,
        arguments.useful_chunk_ids,
        gateway.caller,
    )
    return Answer(f"Recorded: {answer.useful} of {answer.recorded} sections useful.\n", answer)


def _scope_text(scope: ScopeCount) -> str:
    usual = ", searched unless others are named" if scope.default else ""
    return f"- {scope.scope}: {scope.documents} documents{usual}\n"


TOOLS = (
    Tool(
        "search_context",
        "Search with text",
        "Find the passages that answer a question and give their text, best first, within a "
        "token budget.",
        ContextArguments,
        ContextStructure,
        search_context,
    ),
    Tool(
        "compile_bundle",
        "Compile a bundle",
        "Put the passages that a task needs together as one text within a token budget: without "
        "repetition, each with its place. The same task at the same commit gives the same bytes.",
        BundleArguments,
        ListedBundle,
        compile_bundle,
    ),
    Tool(
        "get_document",
        "Get a document",
        "Give a whole document with the links from it and to it.",
        DocumentArguments,
        DocumentStructure,
        get_document,
    ),
    Tool(
        "list_scopes",
        "List scopes",
        "List the scopes a search can be limited to, with their number of documents.",
        ScopesArguments,
        ScopesAnswer,
        list_scopes,
    ),
    Tool(
        "report_usage",
        "Report what was useful",
        "Say which sections of a bundle were useful. Sections not named count as not useful.",
        UsageArguments,
        UsageAnswer,
        report_bundle_usage,
        writes=True,
    ),
)
