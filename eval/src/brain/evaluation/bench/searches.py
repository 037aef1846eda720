"""Rows of grep: the product's, against ripgrep over a checkout and against git grep."""

import itertools
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from brain.evaluation.bench.product import Product
from brain.evaluation.bench.queries import Query, mixed_queries
from brain.evaluation.bench.reading import WHOLE, Reading, reading_stage
from brain.evaluation.bench.repository import Repository
from brain.evaluation.bench.row import Goal, Row, Sample
from brain.evaluation.bench.runner import Group
from brain.evaluation.bench.verdict import percentile

#: The product stops after as many lines, so its peers may too.
_MOST_LINES = 51
_SAMPLED = 300
#: Git takes so much longer that each run asks it only a part of the queries.
_GIT_PART = 5


def measure(reading: Reading, number: int) -> Mapping[str, Sample]:
    """Search for everything with the product, then with its peers."""
    whole, product = reading.setting.whole, reading.product
    queries = _queries(reading)
    _grep(product, queries[0])  # holds the texts that changed since the last search
    ours = [_grep(product, query) for query in queries]
    every = slice(number % _GIT_PART, None, _GIT_PART) if len(queries) > _GIT_PART else slice(None)
    git = [_timed_lines(_git_grep(whole.path, query)) for query in queries[every]]
    return {
        "grep": Sample(percentile(ours, 0.95), _ripgrep_p95(reading, queries)),
        "grep-git": Sample(percentile(ours[every], 0.95), percentile(git, 0.95)),
    }


def _queries(reading: Reading) -> list[Query]:
    whole = reading.setting.whole
    step = max(1, len(whole.documents) // _SAMPLED)
    texts = [text.decode("utf-8", "replace") for text in whole.texts(whole.documents[::step])]
    return mixed_queries(texts, reading.setting.effort.queries)


def _grep(product: Product, query: Query) -> float:
    began = time.perf_counter()
    phrase = "true" if query.kind == "phrase" else "false"
    product.get(f"/api/projects/{WHOLE}/brain/grep", text=query.text, phrase=phrase)
    return time.perf_counter() - began


def _ripgrep_p95(reading: Reading, queries: Sequence[Query]) -> float | None:
    program = ripgrep()
    if program is None:
        return None
    checkout = reading.setting.folder / "checkout"
    if not checkout.exists():
        write_checkout(reading.setting.whole, checkout)
    return percentile((_timed_lines(_ripgrep(program, checkout, each)) for each in queries), 0.95)


def ripgrep() -> str | None:
    """Return the program of ripgrep: the one that is installed beside us, else any."""
    ours = Path(sys.prefix) / "bin" / "rg"
    return str(ours) if ours.exists() else shutil.which("rg")


def write_checkout(repository: Repository, folder: Path) -> None:
    """Write the documents as files, blob by blob: a clone could stumble over blobs that lack."""
    texts = repository.texts(repository.documents)
    for document, text in zip(repository.documents, texts, strict=True):
        path = folder / os.fsdecode(document.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def _needles(query: Query) -> tuple[str, ...]:
    return (query.text,) if query.kind == "phrase" else query.words


def _ripgrep(program: str, checkout: Path, query: Query) -> list[list[str]]:
    first, *others = _needles(query)
    literal = (program, "--no-config", "-uu", "-i", "-F")
    search = [*literal, "-n", "--no-heading", "-e", first, str(checkout)]
    return [search, *([*literal, "-e", word] for word in others)]


def _git_grep(repository: Path, query: Query) -> list[list[str]]:
    patterns = [part for word in _needles(query) for part in ("--and", "-e", word)][1:]
    command = ["git", "-c", "safe.directory=*", "-C", str(repository), "grep", "-i", "-F", "-n"]
    return [[*command, *patterns, "main", "--", ":(icase)*.md"]]


def _timed_lines(pipeline: Sequence[Sequence[str]]) -> float:
    """Return the seconds until a pipeline gave the lines that are shown, or ended."""
    began = time.perf_counter()
    started: list[subprocess.Popen[bytes]] = []
    source = None
    for argv in pipeline:
        started.append(
            subprocess.Popen(argv, stdin=source or subprocess.DEVNULL, stdout=subprocess.PIPE)
        )
        if source is not None:
            source.close()
        source = started[-1].stdout
    if source is not None:
        list(itertools.islice(source, _MOST_LINES))
        source.close()
    for process in started:
        process.kill()
        process.wait()
    return time.perf_counter() - began


GROUP = Group(
    "searches",
    (
        Row(
            "grep",
            "grep, 100 mixed queries, p95",
            "s",
            "ripgrep over a checkout",
            (Goal(0.5, fewest_documents=1_000),),
        ),
        Row("grep-git", "grep, every fifth of them, p95", "s", "git grep -i -F"),
    ),
    reading_stage,
    measure,
)
