"""Rows of ranked search: how fast it answers and is made, against FTS5 and tantivy."""

import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from brain.evaluation.bench.builds import Builds, build_stage
from brain.evaluation.bench.calibration import as_ratio, calibrate
from brain.evaluation.bench.product import Product
from brain.evaluation.bench.queries import mixed_queries
from brain.evaluation.bench.reading import WHOLE, Reading, reading_stage
from brain.evaluation.bench.repository import Repository
from brain.evaluation.bench.row import Goal, Row, Sample
from brain.evaluation.bench.runner import Group
from brain.evaluation.bench.search_peers import HITS, Fts5, Tantivy, tantivy_is_installed
from brain.evaluation.bench.verdict import percentile
from brain.markdown.line_index import decode_text
from brain.search.chunk import Chunk
from brain.search.chunks import chunk_document
from brain.search.segment import build_segment
from brain.search.stored_segment import store_segment
from brain.tree.config import parse_config
from brain.tree.document import DocumentRow
from brain.tree.parse import parse_document
from brain.tree.place import place_document

#: About fifty thousand chunks and more.
_LARGE = 5_000
_GOAL_S = 0.03
#: What a build of fewer documents takes is mostly not for their number.
_TELLING = 1_000
#: What is left of a build where nothing seems to be: clocks of two runs were compared.
_LEAST_S = 0.001
_SAMPLED = 300
#: Bundles that a reader surely still holds in memory.
_REMEMBERED = 100


def measure(reading: Reading, number: int) -> Mapping[str, Sample]:
    """Make the chunks and every index of them, then ask all the same questions."""
    whole = reading.setting.whole
    chunks, _ = _chunks(whole)
    ours_s = _timed(lambda: _index(chunks))
    folder = reading.setting.folder / f"search-peers-{number}"
    folder.mkdir()
    questions = _questions(whole, reading.setting.effort.queries)
    samples = {
        **_against_fts5(reading.product, folder, chunks, questions, ours_s),
        **_against_tantivy(reading.product, folder, chunks, questions, ours_s),
    }
    shutil.rmtree(folder)
    ours = _p95(questions, lambda text: _ask(reading.product, text))
    return {"search": Sample(ours, calibrate()), **samples, **_bundles(reading, questions, number)}


def _bundles(reading: Reading, questions: Sequence[str], number: int) -> dict[str, Sample]:
    """Compile bundles that nobody asked for before, then the same ones again."""
    tasks = [f"{text} {number}" for text in questions]
    return {
        "bundle": Sample(_p95(tasks, lambda text: _compile(reading.product, text)), calibrate()),
        "bundle-again": Sample(
            _p95(tasks[:_REMEMBERED], lambda text: _compile(reading.product, text)), calibrate()
        ),
    }


def _against_fts5(
    product: Product, folder: Path, chunks: Sequence[Chunk], questions: Sequence[str], ours_s: float
) -> dict[str, Sample]:
    began = time.perf_counter()
    peer = Fts5(folder / "fts5.db", chunks)
    took_s = time.perf_counter() - began
    asked = Sample(_p95(questions, lambda text: _ask(product, text)), _p95(questions, peer.search))
    peer.close()
    return {"search-fts5": asked, "search-index-fts5": Sample(ours_s, took_s)}


def _against_tantivy(
    product: Product, folder: Path, chunks: Sequence[Chunk], questions: Sequence[str], ours_s: float
) -> dict[str, Sample]:
    ours = _p95(questions, lambda text: _ask(product, text))
    if not tantivy_is_installed():
        return {"search-tantivy": Sample(ours, None), "search-index-tantivy": Sample(ours_s, None)}
    began = time.perf_counter()
    peer = Tantivy(folder / "tantivy", chunks)
    took_s = time.perf_counter() - began
    return {
        "search-tantivy": Sample(ours, _p95(questions, peer.search)),
        "search-index-tantivy": Sample(ours_s, took_s),
    }


def measure_share(builds: Builds, _number: int) -> Mapping[str, Sample]:
    """Build a new source, and do alone what of that was for search.

    A build spreads it over all processors, so that is what its seconds are divided by.
    """
    name, _ = builds.add()
    whole_s = builds.build(name)
    chunks, chunking_s = _chunks(builds.setting.whole)
    ours_s = chunking_s + _timed(lambda: _index(chunks))
    share_s = ours_s / len(os.sched_getaffinity(0))
    return {"search-share": Sample(share_s, max(whole_s - share_s, _LEAST_S))}


def _chunks(whole: Repository) -> tuple[list[Chunk], float]:
    """Cut all documents into chunks; returns them and the seconds that took."""
    config, _ = parse_config(b"")
    texts = list(whole.texts(whole.documents))
    paths = [document.path.decode("utf-8", "replace") for document in whole.documents]
    rows: list[DocumentRow] = [
        place_document(parse_document(text, config), path, "")
        for path, text in zip(paths, texts, strict=True)
    ]
    began = time.perf_counter()
    chunks = [
        chunk
        for row, text in zip(rows, texts, strict=True)
        for chunk in chunk_document(row, decode_text(text))
    ]
    return chunks, time.perf_counter() - began


def _index(chunks: Sequence[Chunk]) -> None:
    segment = build_segment(chunks)
    ids = np.array([int(chunk.id, 16) for chunk in chunks], np.uint64)
    store_segment("", segment, (), (), ids)


def _questions(whole: Repository, count: int) -> list[str]:
    step = max(1, len(whole.documents) // _SAMPLED)
    texts = [text.decode("utf-8", "replace") for text in whole.texts(whole.documents[::step])]
    return [query.text for query in mixed_queries(texts, count)]


def _ask(product: Product, text: str) -> None:
    product.get(f"/api/projects/{WHOLE}/brain/search", q=text, mode="bm25", k=HITS)


def _compile(product: Product, text: str) -> None:
    product.post(f"/api/projects/{WHOLE}/brain/bundle", {"task": text})


def _p95(questions: Sequence[str], ask: Callable[[str], object]) -> float:
    ask(questions[0])
    return percentile((_timed(lambda text=text: ask(text)) for text in questions), 0.95)  # type: ignore[misc]


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


_CALIBRATION = "calibration: 0.1 s when quiet"
GROUP = Group(
    "ranked search",
    (
        Row(
            "search",
            "search by keywords, p95",
            "s",
            _CALIBRATION,
            (Goal(as_ratio(_GOAL_S), fewest_documents=_LARGE),),
        ),
        Row(
            "bundle",
            "a new bundle, p95",
            "s",
            _CALIBRATION,
            (Goal(as_ratio(0.04), fewest_documents=_LARGE),),
        ),
        Row(
            "bundle-again",
            "the same bundles again, p95",
            "s",
            _CALIBRATION,
            (Goal(as_ratio(0.003), fewest_documents=_LARGE),),
        ),
        Row("search-fts5", "the same", "s", "SQLite FTS5 in process, any word"),
        Row("search-tantivy", "the same", "s", "tantivy in process, any word"),
        Row("search-index-fts5", "terms of all chunks, one process", "s", "SQLite FTS5"),
        Row("search-index-tantivy", "the same", "s", "tantivy, one thread"),
    ),
    reading_stage,
    measure,
)
SHARE = Group(
    "search in a build",
    (
        Row(
            "search-share",
            "what search adds to a first whole build",
            "s",
            "the rest of that build",
            (Goal(0.6, fewest_documents=_TELLING),),
        ),
    ),
    build_stage,
    measure_share,
)
