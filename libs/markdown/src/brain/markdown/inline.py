"""Inline Markdown to rendered text, and to links and prose with their lines."""

import re
from functools import cache
from html import unescape
from typing import Literal

import msgspec
from markdown_it import MarkdownIt
from markdown_it.rules_inline import (
    autolink,
    backtick,
    escape,
    html_inline,
    image,
    link,
    newline,
)
from markdown_it.token import Token

from brain.markdown.blocks import Definitions, accept_any, as_written
from brain.markdown.inline_rules import embed, located, wikilink
from brain.markdown.plain_inline import pieces_of
from brain.markdown.plain_links import links_of
from brain.markdown.wikilinks import split_wikilink

#: Characters of one inline text that are parsed at once; a longer one is read line by line.
MAX_CHARS = 64 * 1024
#: Markup characters of one inline text (or line of a longer one) beyond which it is plain.
MAX_MARKUP = 8_000

_PLAIN = re.compile(r"[^\\`*_\[\]<>&!~\n]*")
_MARKUP = re.compile(r"[\\`*_\[\]<!~]")
_ANCHOR_HREF = re.compile(
    r"<a\s(?:[^<>\"']|\"[^\"]*\"|'[^']*')*?\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))",
    re.IGNORECASE,
)
_HTML_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NOT_PROSE = "\x00"


class Rendered(msgspec.Struct, frozen=True):
    """A heading or paragraph without its markup."""

    #: What a reader sees, one line.
    text: str
    #: What GitHub makes a slug of: no HTML tags, no image texts, wikilinks as written.
    slug_text: str


class InlineLink(msgspec.Struct, frozen=True, array_like=True):
    """A link as written."""

    #: Lines after the first line of the inline text.
    line: int
    kind: Literal["link", "wikilink"]
    #: Destination of a link, inside of a wikilink.
    target: str


class Prose(msgspec.Struct, frozen=True, array_like=True):
    """Text of one line that is neither code nor markup; what is left out became U+0000."""

    line: int
    text: str


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("strikethrough")
    parser.normalizeLink = as_written  # type: ignore[method-assign]
    parser.validateLink = accept_any  # type: ignore[method-assign]
    rules = parser.inline.ruler
    for name, rule in _LOCATED.items():
        rules.at(name, located(rule))
    rules.after("link", "wikilink", located(wikilink))
    rules.before("image", "embed", located(embed))
    return parser


_LOCATED = {
    "newline": newline,
    "escape": escape,
    "backticks": backtick,
    "link": link,
    "image": image,
    "autolink": autolink,
    "html_inline": html_inline,
}


def _tokens(content: str, definitions: Definitions) -> list[Token]:
    parser = _parser()
    tokens: list[Token] = []
    return parser.inline.parse(content, parser, {"references": definitions.references}, tokens)


def render_inline(content: str, definitions: Definitions) -> Rendered:
    """Render inline Markdown to text.

    Text with more than `MAX_MARKUP` markup characters, or longer than `MAX_CHARS`, is taken as
    it stands.
    """
    if _PLAIN.fullmatch(content) or _is_excessive(content):
        return Rendered(_one_line(content), content)
    return _render_plain(content, definitions) or _render_parsed(content, definitions)


def _render_parsed(content: str, definitions: Definitions) -> Rendered:
    shown: list[str] = []
    slugged: list[str] = []
    images: list[str] = []
    for token in _tokens(content, definitions):
        _render(token, shown, slugged, images)
    text = _one_line("".join(shown)) or _one_line(" ".join(images))
    return Rendered(text, "".join(slugged))


def _render_plain(content: str, definitions: Definitions) -> Rendered | None:
    pieces = pieces_of(content, definitions)
    if pieces is None:
        return None
    shown: list[str] = []
    slugged: list[str] = []
    images: list[str] = []
    for kind, text, body, _ in pieces:
        if kind in ("text", "code"):
            shown.append(text)
            slugged.append(text)
        elif kind == "embed":
            slugged.append(text)
        elif kind == "break":
            shown.append(" ")
            slugged.append("\n")
        elif kind == "wikilink":
            parts = split_wikilink(body)
            shown.append(parts.text if parts else text)
            slugged.append(text)
        elif kind == "image":
            images.append(text)
        elif kind == "html" and text[:3].lower() == "<br":
            shown.append(" ")
    shown_text = _one_line("".join(shown)) or _one_line(" ".join(images))
    return Rendered(shown_text, "".join(slugged))


def _render(token: Token, shown: list[str], slugged: list[str], images: list[str]) -> None:
    if token.type in ("text", "code_inline", "text_special"):
        shown.append(token.content)
        slugged.append(token.content)
    elif token.type == "embed":
        # shown in place of it is another document or an image, of which this text says nothing
        slugged.append(token.content)
    elif token.type in ("softbreak", "hardbreak"):
        shown.append(" ")
        slugged.append("\n")
    elif token.type == "html_inline" and token.content[:3].lower() == "<br":
        shown.append(" ")
    elif token.type == "wikilink":
        parts = split_wikilink(token.info)
        shown.append(parts.text if parts else token.content)
        slugged.append(token.content)
    elif token.type == "image":
        # GitHub's anchors leave image texts out, and so does a title that has other text
        images.append(token.content)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _is_excessive(content: str) -> bool:
    if len(content) > MAX_CHARS:
        return True
    return len(content) > MAX_MARKUP and len(_MARKUP.findall(content)) > MAX_MARKUP


def read_inline(content: str, definitions: Definitions) -> list[InlineLink | Prose]:
    """Read the links and the prose of inline Markdown, in order.

    Links inside code spans, comments and images are none; of an image inside a link the link
    counts. `<a href>` counts. A text beyond the limits of this module is read line by line, and
    a line beyond them gives only its prose.
    """
    if not _is_excessive(content):
        plain = _read_plain(content, definitions)
        if plain is not None:
            return plain
        return _walk(content, _tokens(content, definitions))
    found: list[InlineLink | Prose] = []
    for number, line in enumerate(content.split("\n")):
        if _is_excessive(line):
            found.append(Prose(number, line))
            continue
        found += [
            msgspec.structs.replace(item, line=number + item.line)
            for item in _walk(line, _tokens(line, definitions))
        ]
    return found


def _read_plain(content: str, definitions: Definitions) -> list[InlineLink | Prose] | None:
    pieces = pieces_of(content, definitions)
    if pieces is None:
        return None
    found: list[InlineLink | Prose] = []
    words: list[str] = []
    line = position = 0
    for kind, text, body, start in pieces:
        passed = content.count("\n", position, start)
        if kind == "break" or passed:
            _flush(words, line, found)
        line, position = line + passed, start
        if kind == "text":
            words.append(text)
        elif kind in ("link", "wikilink"):
            _flush(words, line, found)
            found.append(InlineLink(line, kind, body))
        elif kind == "html" and (hrefs := html_links(text)):
            _flush(words, line, found)
            found.append(msgspec.structs.replace(hrefs[0], line=line))
        elif kind in ("code", "image", "html"):
            words.append(_NOT_PROSE)
    _flush(words, line, found)
    return found


def read_links(content: str, definitions: Definitions) -> list[InlineLink] | None:
    """Read only the links of inline Markdown, or return None where `read_inline` has to.

    Links in angle brackets (``<https://…>``) are left out: they never stay in the repository.
    """
    pieces = links_of(content, definitions)
    if pieces is None:
        return None
    links: list[InlineLink] = []
    line = position = 0
    for kind, text, target, start in pieces:
        line, position = line + content.count("\n", position, start), start
        if kind == "html":
            links += [msgspec.structs.replace(each, line=line) for each in html_links(text)[:1]]
            continue
        links.append(InlineLink(line, "wikilink" if kind == "wikilink" else "link", target))
    return links


def _walk(content: str, tokens: list[Token]) -> list[InlineLink | Prose]:
    found: list[InlineLink | Prose] = []
    words: list[str] = []
    line = position = 0
    for token in tokens:
        if token.type in ("text", "text_special"):
            words.append(token.content)
        elif link_found := _link(token, line):
            _flush(words, line, found)
            found.append(link_found)
        elif token.type in ("code_inline", "image", "html_inline"):
            words.append(_NOT_PROSE)
        if "end" in token.meta:
            end = token.meta["end"]
            passed = content.count("\n", position, end)
            if passed:
                _flush(words, line, found)
            line, position = line + passed, end
    _flush(words, line, found)
    return found


def _link(token: Token, line: int) -> InlineLink | None:
    if token.type == "link_open":
        return InlineLink(line, "link", str(token.attrs["href"]))
    if token.type == "wikilink":
        return InlineLink(line, "wikilink", token.info)
    if token.type == "html_inline" and (hrefs := html_links(token.content)):
        return msgspec.structs.replace(hrefs[0], line=line)
    return None


def _flush(words: list[str], line: int, found: list[InlineLink | Prose]) -> None:
    text = "".join(words)
    words.clear()
    if text.strip(_NOT_PROSE + " "):
        found.append(Prose(line, text))


def html_links(html: str) -> list[InlineLink]:
    """Find the ``href`` of every ``<a>`` in raw HTML, comments left out, entities decoded."""
    without_comments = _HTML_COMMENT.sub(lambda found: "\n" * found[0].count("\n"), html)
    links: list[InlineLink] = []
    line = position = 0
    for found in _ANCHOR_HREF.finditer(without_comments):
        line += without_comments.count("\n", position, found.start())
        position = found.start()
        target = found[1] or found[2] or found[3] or ""
        links.append(InlineLink(line, "link", unescape(target).strip()))
    return links
