"""Targets: what a question is looking for, and whether a hit is that."""

from collections.abc import Callable, Sequence

import msgspec

from brain.assessment.golden import Question
from brain.assessment.measures import Outcome

#: Given a node id with an anchor: the ids of the node and of everything beneath it.
Within = Callable[[str], frozenset[str]]


class Found(msgspec.Struct, frozen=True):
    """A hit as it is judged."""

    node_id: str
    path: str
    breadcrumb: str
    tokens: int


class Target(msgspec.Struct, frozen=True):
    """A document or folder, or some nodes of a document."""

    path: str
    #: Any of these; empty for every node.
    nodes: frozenset[str] = frozenset()
    heading: str = ""

    def is_met_by(self, hit: Found) -> bool:
        """Tell whether a hit lies within."""
        if self.path.endswith("/"):
            return self.path == "/" or hit.path.startswith(self.path)
        if hit.path != self.path or (self.nodes and hit.node_id not in self.nodes):
            return False
        return not self.heading or _ends_as(hit.breadcrumb, self.heading)


def _ends_as(breadcrumb: str, heading: str) -> bool:
    """Tell whether the titles down to the hit, or to something above it, end as *heading* does."""
    titles = breadcrumb.casefold().split(" > ")
    wanted = heading.casefold().strip()
    return any(" > ".join(titles[: end + 1]).endswith(wanted) for end in range(len(titles)))


#: Targets of which any one will do.
Need = tuple[Target, ...]


def needs_of(question: Question, within: Within) -> list[Need]:
    """Return what a question needs: one thing of any of its targets, or every one of them."""
    targets = [_target(node, within) for node in question.expect]
    targets += [Target(place.path, heading=place.heading) for place in question.expected]
    return [(target,) for target in targets] if question.every else [tuple(targets)]


def _target(node: str, within: Within) -> Target:
    path, hash_sign, _ = node.partition("#")
    return Target(path, within(node) if hash_sign else frozenset())


def outcome_of(needs: Sequence[Need], hits: Sequence[Found]) -> Outcome:
    """Return at which rank each need was first met."""
    return Outcome(tuple(_rank(need, hits) for need in needs), (1.0,) * len(needs))


def _rank(need: Need, hits: Sequence[Found]) -> int:
    for rank, hit in enumerate(hits, 1):
        if any(target.is_met_by(hit) for target in need):
            return rank
    return 0
