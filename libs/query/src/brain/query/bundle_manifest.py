"""Manifest of a bundle: which sections stand in it and why, and what was left out."""

from datetime import date

import msgspec

from brain.query.search_state import SearchState, digest
from brain.search.bundle import Bundle, Candidate, Reason, Request
from brain.search.tokens import estimate_tokens
from brain.store.bundles import BundleRow

#: Raised whenever equal requests would give other bytes.
FORMAT = "brain-bundle-1"
#: Tokens of what an agent is told beside a bundle's text and its list of sections.
AGENT_TOKENS = 320


class LegRank(msgspec.Struct, frozen=True):
    """Where a leg ranked a section, from 1; ``paths`` is for documents that govern the code."""

    leg: str
    rank: int


class BundleSection(msgspec.Struct, frozen=True, rename="camel"):
    """A chunk that stands in the bundle."""

    chunk_id: str
    node_id: str
    path: str
    breadcrumb: str
    scope: str
    line_start: int
    line_end: int
    tokens: int
    why: list[LegRank]
    #: Day of the document's last change, ISO 8601; None when unknown.
    updated: str | None
    truncated: bool


class BundleOmission(msgspec.Struct, frozen=True, rename="camel"):
    """A chunk that was ranked and does not stand in the bundle."""

    chunk_id: str
    node_id: str
    reason: Reason
    #: The chunk in the bundle that says the same, of a duplicate.
    same_as: str | None


class ListedSection(msgspec.Struct, frozen=True):
    """A section as an agent is told of it beside the text."""

    chunk_id: str
    node_id: str
    line_start: int
    line_end: int

    @property
    def tokens(self) -> int:
        """What it costs, with what separates it from the next."""
        return estimate_tokens(msgspec.json.encode(self).decode()) + 1


class KeptSection(msgspec.Struct, frozen=True):
    """A section with what makes its text again from Git."""

    section: BundleSection
    #: Among the candidates, from 0.
    rank: int
    char_start: int
    char_end: int
    has_heading: bool
    note: str
    beside: int


class Manifest(msgspec.Struct, frozen=True):
    """All of a bundle but its text and its request."""

    #: In the order of the text.
    sections: tuple[KeptSection, ...]
    #: In rank order.
    omitted: tuple[BundleOmission, ...]
    tokens: int
    truncated: bool
    confidence: float
    top_score: float
    warnings: tuple[str, ...]


class BundleRequest(msgspec.Struct, frozen=True):
    """What a bundle was asked for, cleaned: equal ones at one state are one bundle."""

    task: str
    #: Sorted; ``all`` when nothing was limited.
    scopes: tuple[str, ...]
    max_tokens: int
    #: Code paths that the task touches, sorted.
    paths: tuple[str, ...]
    #: UTC; decides what has expired.
    day: date
    #: Whether the budget also holds what an agent is told beside the text.
    for_agent: bool = False

    def bundle_id(self, state: SearchState) -> str:
        """Return the id of the bundle of a state: the first 16 hex digits of SHA-256."""
        return digest(
            FORMAT,
            self.task,
            ",".join(self.scopes),
            str(self.max_tokens),
            state.fingerprint,
            "\n".join(self.paths),
            self.day.isoformat(),
            "agent" if self.for_agent else "",
        )

    def packing(self, state: SearchState) -> Request:
        """Return the request as the packer takes it."""
        return Request(
            bundle_id=self.bundle_id(state),
            task=self.task,
            scopes=self.scopes,
            max_tokens=self.max_tokens,
            fingerprint=state.fingerprint,
            beside=AGENT_TOKENS if self.for_agent else 0,
        )


class Compiled(msgspec.Struct, frozen=True):
    """A bundle with all that is known of it."""

    id: str
    request: BundleRequest
    state: SearchState
    manifest: Manifest
    text: str


class Found(msgspec.Struct, frozen=True):
    """A candidate with what its section will say besides."""

    candidate: Candidate
    why: tuple[LegRank, ...]
    updated: str | None
    char_start: int
    char_end: int


class Evidence(msgspec.Struct, frozen=True):
    """How well the ranking answers the task."""

    confidence: float
    top_score: float
    warnings: tuple[str, ...]


def manifest_of(bundle: Bundle, found: list[Found], evidence: Evidence) -> Manifest:
    """Write down a bundle that was packed of candidates, best first."""
    ranks = {each.candidate.chunk_id: rank for rank, each in enumerate(found)}
    kept = []
    for section in bundle.sections:
        rank = ranks[section.chunk_id]
        each = found[rank]
        shown = BundleSection(
            chunk_id=section.chunk_id,
            node_id=section.node_id,
            path=section.path,
            breadcrumb=section.breadcrumb,
            scope=section.scope,
            line_start=section.line_start,
            line_end=section.line_end,
            tokens=section.tokens,
            why=list(each.why),
            updated=each.updated,
            truncated=section.truncated,
        )
        candidate = each.candidate
        kept.append(
            KeptSection(
                shown,
                rank,
                each.char_start,
                each.char_end,
                candidate.has_heading,
                candidate.note,
                candidate.beside,
            )
        )
    return Manifest(
        sections=tuple(kept),
        omitted=tuple(
            BundleOmission(each.chunk_id, each.node_id, each.reason, each.same_as or None)
            for each in bundle.left_out
        ),
        tokens=bundle.tokens,
        truncated=bundle.truncated,
        confidence=evidence.confidence,
        top_score=evidence.top_score,
        warnings=evidence.warnings,
    )


def candidate_of(kept: KeptSection, content: str) -> Candidate:
    """Return the candidate that a section was packed of."""
    section = kept.section
    return Candidate(
        chunk_id=section.chunk_id,
        node_id=section.node_id,
        path=section.path,
        breadcrumb=section.breadcrumb,
        scope=section.scope,
        line_start=section.line_start,
        line_end=section.line_end,
        content=content,
        has_heading=kept.has_heading,
        note=kept.note,
        beside=kept.beside,
    )


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Manifest).decode


def encode_manifest(manifest: Manifest) -> bytes:
    """Encode a manifest for the store."""
    return _encode(manifest)


def stored_request(row: BundleRow) -> tuple[BundleRequest, SearchState, Manifest] | None:
    """Return what a stored row says besides the text; None when another release wrote it so."""
    try:
        manifest = _decode(row.manifest)
    except msgspec.DecodeError:
        return None
    request = BundleRequest(row.task, tuple(row.scopes), row.max_tokens, tuple(row.paths), row.day)
    state = SearchState(row.commit, row.builder_version, row.model, row.vector_epoch)
    is_for_agent = request.bundle_id(state) != row.id
    return msgspec.structs.replace(request, for_agent=is_for_agent), state, manifest
