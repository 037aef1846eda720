"""``brain search``."""

from typing import Any

import click

from brain.cli.invocation import Invocation
from brain.cli.remote import Remote


@click.command()
@click.argument("project_id", metavar="ID")
@click.argument("words", metavar="QUERY", nargs=-1, required=True)
@click.option("--mode", type=click.Choice(["bm25", "vector", "hybrid"]), default="hybrid")
@click.option("--k", type=click.IntRange(1, 50), default=8, help="Hits.")
@click.option(
    "--scope", "scopes", multiple=True, help="Only this scope, * for all; may be repeated."
)
@click.option("--label", "labels", multiple=True, help="Only with this label; may be repeated.")
@click.option("--under", metavar="PATH", help="Only in this folder or document.")
@click.option("--status", help="Only documents with this status.")
@click.option("--explain", is_flag=True, help="Show each leg's rank and score.")
@click.pass_obj
def search(
    invocation: Invocation,
    /,
    project_id: str,
    words: tuple[str, ...],
    **options: Any,  # noqa: ANN401 - Click's
) -> None:
    """Find the passages that answer a question."""
    answer = Remote(invocation.settings()).get(
        f"/projects/{project_id}/brain/search",
        {
            "q": " ".join(words),
            "mode": options["mode"],
            "k": options["k"],
            "scopes": ",".join(options["scopes"]) or None,
            "labels": ",".join(options["labels"]) or None,
            "under": options["under"],
            "status": options["status"],
            "explain": "true" if options["explain"] else None,
        },
    )
    text = "\n".join([*map(_hit_text, answer["hits"]), *answer["warnings"]])
    invocation.answer(answer, text)


def _hit_text(hit: dict[str, Any]) -> str:
    cited = hit["citation"]
    where = f"{cited['path']}:{cited['lineStart']}-{cited['lineEnd']}"
    standing = f" [{hit['status']}]" if "status" in hit else ""
    legs = "".join(
        f"\n    {leg['leg']}: rank {leg['rank']}, {leg['score']:g}"
        for leg in hit.get("explain", [])
    )
    return f"{hit['score']:.3f}  {where}{standing}  {hit['breadcrumb']}\n    {hit['snippet']}{legs}"
