"""Prefix of a document that no longer holds."""

from brain.markdown.visible import visible
from brain.tree.document import Facts
from brain.tree.summary.wording import cut

#: Statuses that take a document out of force.
OUT_OF_FORCE = frozenset(
    {"superseded", "deprecated", "rejected", "retired", "withdrawn", "obsolete", "replaced"}
)


def with_status(summary: str, facts: Facts) -> str:
    """Start the summary with the status, and what replaced it: ``Superseded by ADR-003. …``.

    One that begins with the status says it already.
    """
    if facts.status not in OUT_OF_FORCE:
        return summary
    if not facts.superseded_by and _begins_with(summary, facts.status):
        return summary
    names = ", ".join(name.strip("[]") for name in facts.superseded_by)
    status = facts.status.capitalize()
    if names:
        status += f" by {visible(names)}" if facts.status in _BY else f"; see {visible(names)}"
    return cut(f"{status}. {summary}".rstrip())


def _begins_with(summary: str, word: str) -> bool:
    return summary.lower().startswith(word) and not summary[len(word) :][:1].isalnum()


_BY = frozenset({"superseded", "replaced"})
