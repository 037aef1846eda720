"""Answers about bundles, in both spellings."""

import msgspec

from brain.query.bundle_manifest import BundleOmission, BundleSection, Compiled, ListedSection
from brain.query.freshness import Freshness, PlainFreshness
from brain.query.reader import Reader
from brain.query.texts import Pair
from brain.search.confidence import THRESHOLD
from brain.store.pointer import Pointer


class BundleAnswer(Freshness, frozen=True, rename="camel", kw_only=True):
    """A bundle: its text, what stands in it and why, and what was left out and why."""

    project_id: str
    bundle_id: str
    task: str
    scopes: list[str]
    paths: list[str]
    max_tokens: int
    #: The day that decided what has expired, ISO 8601.
    day: str
    #: Names the state of the index: equal requests at one state are the same to the byte.
    fingerprint: str
    text: str
    tokens: int
    sections: list[BundleSection]
    omitted: list[BundleOmission]
    truncated: bool
    confidence: float
    is_likely: bool
    warnings: list[str]


class PlainSection(msgspec.Struct, frozen=True):
    """A section in the spelling of `search_context`."""

    chunk_id: str
    doc_path: str
    scope: str
    heading: str
    tokens: int
    updated_at: str | None


class PlainBundle(PlainFreshness, frozen=True, kw_only=True):
    """A bundle in the spelling of `search_context`."""

    bundle_id: str
    text: str
    tokens: int
    sections: list[PlainSection]
    omitted: int
    truncated: bool


class ListedBundle(PlainFreshness, frozen=True, kw_only=True):
    """What an agent is told beside a bundle's text."""

    bundle_id: str
    tokens: int
    sections: list[ListedSection]
    omitted: int
    truncated: bool
    #: 0 to 1; below a half nothing here seems to answer.
    confidence: float


async def bundle_answer(reader: Reader, pointer: Pointer, bundle: Compiled) -> BundleAnswer:
    """Show a bundle with its manifest; the commit is that of the bundle."""
    manifest = bundle.manifest
    return BundleAnswer(
        **msgspec.structs.asdict(await _freshness(reader, pointer, bundle)),
        project_id=pointer.project_id,
        bundle_id=bundle.id,
        task=bundle.request.task,
        scopes=list(bundle.request.scopes),
        paths=list(bundle.request.paths),
        max_tokens=bundle.request.max_tokens,
        day=bundle.request.day.isoformat(),
        fingerprint=bundle.state.fingerprint,
        text=bundle.text,
        tokens=manifest.tokens,
        sections=[each.section for each in manifest.sections],
        omitted=list(manifest.omitted),
        truncated=manifest.truncated,
        confidence=manifest.confidence,
        is_likely=bool(manifest.sections) and manifest.confidence >= THRESHOLD,
        warnings=list(manifest.warnings),
    )


async def plain_bundle(reader: Reader, pointer: Pointer, bundle: Compiled) -> PlainBundle:
    """Show a bundle in the spelling of `search_context`."""
    return PlainBundle(
        **msgspec.structs.asdict(await _freshness(reader, pointer, bundle)),
        bundle_id=bundle.id,
        text=bundle.text,
        tokens=bundle.manifest.tokens,
        sections=[
            PlainSection(
                chunk_id=each.section.chunk_id,
                doc_path=each.section.path,
                scope=each.section.scope,
                heading=each.section.breadcrumb,
                tokens=each.section.tokens,
                updated_at=each.section.updated,
            )
            for each in bundle.manifest.sections
        ],
        omitted=len(bundle.manifest.omitted),
        truncated=bundle.manifest.truncated,
    )


async def listed_bundle(reader: Reader, pointer: Pointer, bundle: Compiled) -> ListedBundle:
    """Show what an agent is told beside the text."""
    return ListedBundle(
        **msgspec.structs.asdict(await _freshness(reader, pointer, bundle)),
        bundle_id=bundle.id,
        tokens=bundle.manifest.tokens,
        sections=[
            ListedSection(
                each.section.chunk_id,
                each.section.node_id,
                each.section.line_start,
                each.section.line_end,
            )
            for each in bundle.manifest.sections
        ],
        omitted=len(bundle.manifest.omitted),
        truncated=bundle.manifest.truncated,
        confidence=bundle.manifest.confidence,
    )


async def _freshness(reader: Reader, pointer: Pointer, bundle: Compiled) -> Freshness:
    freshness = await reader.freshness(pointer)
    if bundle.state.commit == pointer.commit:
        return freshness
    pair = Pair(pointer.source_id, bundle.state.commit, pointer.tip)
    behind_by = await reader.texts.behind_by(pair)
    return msgspec.structs.replace(freshness, commit=bundle.state.commit, behind_by=behind_by)
