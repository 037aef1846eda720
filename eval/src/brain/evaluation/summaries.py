"""A sample of a project's nodes, to be judged by a person: would you open the right child?"""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import httpx

#: Nodes of a sample.
SAMPLE = 30
_SHOWN = ("id", "kind", "title", "summary", "summarySource", "childCount")
#: Of five nodes two are folders, two documents and one a section or card.
_SHARES = (({"root", "folder"}, 2), ({"document"}, 2), ({"section", "card"}, 1))


def sample_of(
    instance: dict[str, str], project_id: str, nodes: int, under: str = ""
) -> list[dict[str, Any]]:
    """Read a project's outline and return its sample, with what is to be judged.

    Raises:
        httpx.HTTPError: the instance refuses or is away.
    """
    url = f"{instance['restUrl']}/projects/{project_id}/brain/outline"
    headers = {"Authorization": f"Bearer {instance['token']}"}
    answer = httpx.get(url, params={"under": under}, headers=headers, timeout=600.0)
    answer.raise_for_status()
    outline = [json.loads(line) for line in answer.text.splitlines() if line]
    return [{key: node[key] for key in _SHOWN} for node in sample(outline, nodes)]


def sample(outline: Iterable[dict[str, Any]], nodes: int) -> list[dict[str, Any]]:
    """Choose nodes of every kind: those with the lowest SHA-256 of their id, in that order.

    The choice depends on the ids alone, so a node stays in the sample when its summary changes.
    """
    ordered = sorted(outline, key=lambda node: hashlib.sha256(node["id"].encode()).digest())
    chosen = []
    whole = sum(share for _, share in _SHARES)
    for kinds, share in _SHARES:
        chosen += [node for node in ordered if node["kind"] in kinds][: nodes * share // whole]
    return chosen
