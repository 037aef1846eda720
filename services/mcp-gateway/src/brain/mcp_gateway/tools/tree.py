"""The toolset ``tree``: climb, read, look up, grep."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from brain.access.principal import Principal
from brain.mcp_gateway import fit, render
from brain.mcp_gateway.arguments import Common, NodeId, project_of
from brain.mcp_gateway.fit_guided import fit_guided
from brain.mcp_gateway.fit_read import ReadStructure, fit_read
from brain.mcp_gateway.fit_tree import TreeStructure, fit_tree
from brain.mcp_gateway.gateway import Gateway
from brain.mcp_gateway.tool import Answer, Tool
from brain.query.answers import (
    GrepAnswer,
    LookupAnswer,
    grep_answer,
    guided_tree_answer,
    lookup_answer,
    read_answer,
    tree_answer,
)
from brain.query.grep import GrepScope, parse_pattern
from brain.query.guided_tree import MOST_WORDS_CHARS, Guidance, guidance_of
from brain.query.read import MEMBER_CHARACTERS, ReadOptions
from brain.query.tree import EVERY_CHILD
from brain.search.tokens import estimate_tokens


class TreeArguments(Common, frozen=True, kw_only=True):
    """Arguments of brain_tree."""

    node: NodeId = "/"
    depth: Annotated[int, Meta(ge=1, le=2, description="2 shows grandchildren too.")] = 1
    offset: Annotated[int, Meta(ge=0, description="Continue at nextOffset.")] = 0
    limit: Annotated[
        int, Meta(ge=1, le=1_000, description="The fewer children, the more is said of each.")
    ] = 500
    words: (
        Annotated[
            str,
            Meta(
                description="What you look for, in your own words: only children under which "
                "something matches, best first, each with the best places beneath it.",
                max_length=MOST_WORDS_CHARS,
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    cursor: Annotated[
        str, Meta(description="Continue at nextCursor, with the same words.", max_length=100)
    ] = ""


class ReadArguments(Common, frozen=True, kw_only=True):
    """Arguments of brain_read."""

    node: NodeId
    scope: Literal["auto", "node", "subtree"] = "auto"
    from_line: Annotated[int, Meta(ge=0, description="Continue at nextLine.")] = 0


class LookupArguments(Common, frozen=True, kw_only=True):
    """Arguments of brain_lookup."""

    query: Annotated[str, Meta(description="A reference id, a node id, a path or a file name.")]


class GrepArguments(Common, frozen=True, kw_only=True):
    """Arguments of brain_grep."""

    text: Annotated[str, Meta(description='Words in any order, or one "quoted phrase"; literal.')]
    under: Annotated[str, Meta(description="Only in this folder or document.")] = ""
    ignore_case: bool = True


async def brain_tree(gateway: Gateway, principal: Principal, arguments: TreeArguments) -> Answer:
    """Show a node and as many of its children as the budget holds, briefly where they are many."""
    words = None if isinstance(arguments.words, msgspec.UnsetType) else arguments.words
    guidance = guidance_of(words, arguments.cursor, arguments.offset)
    project_id = await project_of(gateway, principal, arguments)
    if guidance is not None:
        return await _guided(gateway, project_id, arguments, guidance)
    answer = await tree_answer(
        gateway.reader,
        project_id,
        arguments.node,
        depth=arguments.depth,
        offset=arguments.offset,
        # Landmarks name children beyond the page
        limit=EVERY_CHILD if arguments.depth == 1 else arguments.limit,
    )
    return fit_tree(answer, arguments.offset, arguments.limit, arguments.max_tokens)


async def _guided(
    gateway: Gateway, project_id: str, arguments: TreeArguments, guidance: Guidance
) -> Answer:
    guided = await guided_tree_answer(
        gateway.reader,
        project_id,
        arguments.node,
        guidance,
        depth=arguments.depth,
        # without a match it is the usual answer, landmarks included
        limit=EVERY_CHILD if arguments.depth == 1 else arguments.limit,
    )
    if guided.tree.matching:
        return fit_guided(guided, arguments.limit, arguments.max_tokens)
    return fit_tree(guided.tree, 0, arguments.limit, arguments.max_tokens)


async def brain_read(gateway: Gateway, principal: Principal, arguments: ReadArguments) -> Answer:
    """Read a node, cutting lists first and text at whole lines to stay in the budget."""
    project_id = await project_of(gateway, principal, arguments)
    options = ReadOptions(arguments.scope, arguments.from_line, MEMBER_CHARACTERS)
    answer = await read_answer(gateway.reader, project_id, arguments.node, options)
    return fit_read(answer, arguments.max_tokens)


async def brain_lookup(
    gateway: Gateway, principal: Principal, arguments: LookupArguments
) -> Answer:
    """Name the nodes that a query names."""
    project_id = await project_of(gateway, principal, arguments)
    answer = await lookup_answer(gateway.reader, project_id, arguments.query)

    def showing(count: int) -> Answer:
        cut = count < len(answer.matches)
        shown = msgspec.structs.replace(answer, matches=answer.matches[:count], truncated=cut)
        return Answer(_lookup_text(shown), shown)

    costs = [
        fit.cost_of(each) + estimate_tokens(render.node_line(each.node)) + 2
        for each in answer.matches
    ]
    return fit.settled(showing, costs, arguments.max_tokens)


async def brain_grep(gateway: Gateway, principal: Principal, arguments: GrepArguments) -> Answer:
    """Show the lines that match."""
    project_id = await project_of(gateway, principal, arguments)
    pattern = parse_pattern(arguments.text, phrase=False, ignore_case=arguments.ignore_case)
    answer = await grep_answer(gateway.reader, project_id, pattern, GrepScope(arguments.under))

    def showing(count: int) -> Answer:
        cut = answer.truncated or count < len(answer.matches)
        shown = msgspec.structs.replace(answer, matches=answer.matches[:count], truncated=cut)
        return Answer(_grep_text(shown), shown)

    costs = [
        fit.cost_of(each) + estimate_tokens(f"{each.node_id}:{each.line}\t{each.text}\n")
        for each in answer.matches
    ]
    return fit.settled(showing, costs, arguments.max_tokens)


def _lookup_text(answer: LookupAnswer) -> str:
    lines = [render.heading(answer, answer.project_id)]
    lines += [render.node_line(match.node) for match in answer.matches]
    if answer.truncated:
        lines.append("There are more; name one more exactly, or raise maxTokens.")
    if not answer.matches:
        lines.append("Nothing in the indexed commit has this id, path or name.")
    return "\n".join(lines) + "\n"


def _grep_text(answer: GrepAnswer) -> str:
    lines = [render.heading(answer, answer.project_id)]
    lines += [f"{each.node_id}:{each.line}\t{each.text}" for each in answer.matches]
    if not answer.matches:
        lines.append("No line of the indexed commit holds these words.")
    if answer.truncated:
        lines.append("There are more; narrow the words or name a folder with `under`.")
    return "\n".join(lines) + "\n"


TOOLS = (
    Tool(
        "brain_tree",
        "Show the tree",
        "Show a node with its children, each with a one-line summary. Start at `/` and descend "
        "into the children whose summaries can hold the answer. Of many children it says less, at "
        "last names alone: a smaller limit says more, and an offset named ahead leads on. In a "
        "large repository give `words` as well: it shows the children that match, best first, "
        "each with the best places beneath it; open or read these at once.",
        TreeArguments,
        TreeStructure,
        brain_tree,
    ),
    Tool(
        "brain_read",
        "Read a node",
        "Read a node's text with line numbers and a citation. Cite path, lines and commit.",
        ReadArguments,
        ReadStructure,
        brain_read,
    ),
    Tool(
        "brain_lookup",
        "Look up an id or path",
        "Find the nodes that a reference id (such as ADR-0007), a node id, a path or a file name "
        "names.",
        LookupArguments,
        LookupAnswer,
        brain_lookup,
    ),
    Tool(
        "brain_grep",
        "Search for words",
        "Find up to 50 lines that hold every word, in any order, or one quoted phrase. For words "
        "that no summary shows.",
        GrepArguments,
        GrepAnswer,
        brain_grep,
    ),
)
