"""Inline rules added to markdown-it-py: positions, wikilinks and embeds."""

from markdown_it.common.utils import normalizeReference
from markdown_it.parser_inline import RuleFuncInlineType
from markdown_it.rules_inline import StateInline

from brain.markdown.wikilinks import WIKILINK, split_wikilink


def located(rule: RuleFuncInlineType) -> RuleFuncInlineType:
    """Note on the last token a rule pushes where in the source the rule stopped.

    markdown-it-py's inline tokens carry no position, and a link or a code span may hold line
    ends that no token shows; with this note a walk over the tokens knows every line.
    """

    def with_position(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
        count = len(state.tokens)
        if not rule(state, silent):
            return False
        if not silent and len(state.tokens) > count:
            state.tokens[-1].meta["end"] = state.pos
        return True

    return with_position


def wikilink(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Read ``[[target#heading|text]]``, tried after CommonMark's links.

    ``[[text]](url)`` is a link and ``[[1]]`` with a definition of ``[1]`` holds one: a browser
    follows these, so they are no wikilinks.
    """
    found = WIKILINK.match(state.src, state.pos, state.posMax)
    if found is None or split_wikilink(found[1]) is None or _is_defined(state, found[1]):
        return False
    if not silent:
        token = state.push("wikilink", "", 0)
        token.content, token.info = found[0], found[1]
    state.pos = found.end()
    return True


def embed(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Read ``![[target]]``: shown in place by some editors, so it is no link."""
    if not state.src.startswith("![[", state.pos):
        return False
    found = WIKILINK.match(state.src, state.pos + 1, state.posMax)
    if found is None:
        return False
    if not silent:
        token = state.push("embed", "", 0)
        token.content = "!" + found[0]
    state.pos = found.end()
    return True


def _is_defined(state: StateInline, label: str) -> bool:
    return normalizeReference(label) in state.env["references"]
