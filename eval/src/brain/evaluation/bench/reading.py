"""The stage of a running instance with three repositories: all of it, a tenth, and a thousand."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from brain.evaluation.bench.product import Product, up
from brain.evaluation.bench.repository import Repository, part_of
from brain.evaluation.bench.setting import Setting

WHOLE, TENTH, THOUSAND = "whole", "tenth", "thousand"
_SMALL = 1_000


class Reading(msgspec.Struct, frozen=True):
    """A running instance and what it indexes, by project."""

    setting: Setting
    product: Product
    repositories: dict[str, Repository]


@contextmanager
def reading_stage(setting: Setting) -> Iterator[Reading]:
    """Run ``brain up`` and index the repositories."""
    whole = setting.whole
    tenth = part_of(whole, setting.folder / "tenth.git", max(1, len(whole.documents) // 10))
    thousand = part_of(whole, setting.folder / "thousand.git", _SMALL)
    repositories = {WHOLE: whole, TENTH: tenth, THOUSAND: thousand}
    with up(setting, "reading") as product:
        for project_id, repository in repositories.items():
            product.add(project_id, repository)
        yield Reading(setting, product, repositories)
