"""``brain tree``, ``outline``, ``read``, ``lookup``, ``grep`` and ``dump``."""

import json
import sys
from typing import Any

import click

from brain.cli.invocation import Invocation
from brain.cli.node_text import node_lines, tree_text
from brain.cli.remote import Remote


@click.command()
@click.argument("project_id", metavar="ID")
@click.argument("node", default="/")
@click.option("--depth", type=click.IntRange(1, 2), default=1, help="2 shows grandchildren too.")
@click.option("--offset", type=click.IntRange(0), default=0)
@click.option("--limit", type=click.IntRange(1, 200), default=50)
@click.option("--words", metavar="WORDS", help="Only children that match these words, best first.")
@click.option("--cursor", metavar="CURSOR", help="Continue an answer to the same words.")
@click.pass_obj
def tree(
    invocation: Invocation,
    /,
    project_id: str,
    node: str,
    **options: Any,  # noqa: ANN401 - Click's
) -> None:
    """Show a node and its children with their summaries."""
    answer = Remote(invocation.settings()).get(
        f"/projects/{project_id}/brain/tree", {"node": node} | options
    )
    invocation.answer(answer, tree_text(answer))


@click.command()
@click.argument("project_id", metavar="ID")
@click.option("--under", default="/", metavar="NODE", help="Where to begin.")
@click.pass_obj
def outline(invocation: Invocation, project_id: str, under: str) -> None:
    """Show every node in tree order; with --json one object a line."""
    remote = Remote(invocation.settings())
    depths: dict[str | None, int] = {}
    with remote.lines(f"/projects/{project_id}/brain/outline", {"under": under}) as lines:
        for line in lines:
            if invocation.as_json:
                print(line)
                continue
            node = json.loads(line)
            depth = depths[node["id"]] = depths.get(node["parent"], -1) + 1
            print(f"{'  ' * depth}{node['id']}  {node['title']}")


@click.command()
@click.argument("project_id", metavar="ID")
@click.argument("node", default="/")
@click.option("--scope", type=click.Choice(["auto", "node", "subtree"]), default="auto")
@click.option("--from-line", type=click.IntRange(0), default=0, help="Continue at this line.")
@click.pass_obj
def read(invocation: Invocation, project_id: str, node: str, scope: str, from_line: int) -> None:
    """Print a node's text as it is written, and where it stands."""
    answer = Remote(invocation.settings()).get(
        f"/projects/{project_id}/brain/node",
        {"node": node, "scope": scope, "fromLine": from_line},
    )
    if not invocation.as_json:
        _say_where(answer)
    invocation.answer(answer, answer["text"])


@click.command()
@click.argument("project_id", metavar="ID")
@click.argument("query")
@click.pass_obj
def lookup(invocation: Invocation, project_id: str, query: str) -> None:
    """Find the nodes that a reference id, a node id or a path names."""
    answer = Remote(invocation.settings()).get(f"/projects/{project_id}/brain/lookup", {"q": query})
    matches = answer["matches"]
    text = "\n".join(line for match in matches for line in node_lines(match["node"]))
    # A match is its node's fields and its breadcrumb; the node stands beside them as well.
    flat = [match["node"] | match for match in matches]
    invocation.answer(answer | {"matches": flat}, text or f"nothing is named {query}")


@click.command()
@click.argument("project_id", metavar="ID")
@click.argument("words", metavar="TEXT", nargs=-1, required=True)
@click.option("--phrase", is_flag=True, help="Take the text as one phrase.")
@click.option("--under", metavar="PATH", help="Only in this folder or document.")
@click.option("--case", is_flag=True, help="Upper and lower case differ.")
@click.option("--space", metavar="KEY", help="Only in pages of this space.")
@click.option("--label", metavar="LABEL", help="Only in pages with this label.")
@click.pass_obj
def grep(
    invocation: Invocation,
    /,
    project_id: str,
    words: tuple[str, ...],
    **options: Any,  # noqa: ANN401 - Click's
) -> None:
    """Find the lines that hold every word, in any order."""
    answer = Remote(invocation.settings()).get(
        f"/projects/{project_id}/brain/grep",
        {
            "text": " ".join(words),
            "phrase": "true" if options["phrase"] else None,
            "ignoreCase": "false" if options["case"] else "true",
            "under": options["under"],
            "space": options["space"],
            "label": options["label"],
        },
    )
    lines = [f"{each['path']}:{each['line']}: {each['text'].strip()}" for each in answer["matches"]]
    if answer["truncated"]:
        lines.append("… and more")
    invocation.answer(answer, "\n".join(lines) or "no line holds all of it")


@click.command()
@click.argument("project_id", metavar="ID")
@click.pass_obj
def dump(invocation: Invocation, project_id: str) -> None:
    """Print every stored row that is a function of the commit, one object a line."""
    with Remote(invocation.settings()).lines(f"/projects/{project_id}/brain/dump") as lines:
        for line in lines:
            print(line)


def _say_where(answer: dict[str, Any]) -> None:
    citation = answer["citation"]
    if citation is None:
        print(f"{answer['node']['id']} has no text of its own", file=sys.stderr)
        return
    span = f"{citation['lineStart']}-{citation['lineEnd']}"
    more = f", continues at --from-line {answer['nextLine']}" if answer["truncated"] else ""
    print(f"{citation['path']}:{span} @ {citation['commit'][:12]}{more}", file=sys.stderr)
