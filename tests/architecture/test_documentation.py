"""What the documentation says exists: links, commands, settings, decisions, READMEs."""

import re
from pathlib import Path

import pytest

from brain.cli.commands import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("libs/*/README.md"),
        *ROOT.glob("services/*/README.md"),
    ]
)
#: Set by the supervisor for the server process, or by the system.
NOT_FOR_PEOPLE = {"XDG_RUNTIME_DIR"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_to_a_file(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    targets = [
        target.partition("#")[0]
        for target in re.findall(r"\]\(([^)\s]+)\)", text)
        if not re.match(r"[a-z]+:", target) and not target.startswith("#")
    ]

    assert [each for each in targets if not (page.parent / each).exists()] == []


def test_the_readme_lists_every_command():
    table = (ROOT / "README.md").read_text().partition("## Commands")[2].partition("\n## ")[0]

    missing = [
        name
        for name, place in COMMANDS.items()
        if not re.search(rf"`{name}\b", table) or place.summary not in table
    ]
    assert missing == []


def test_every_setting_is_described():
    described = (ROOT / "README.md").read_text() + (ROOT / "docs/operations.md").read_text()
    # `BRAIN_GIT_HOST`, `_USERNAME` stands for two of a kind
    described += "BRAIN_GIT_USERNAME BRAIN_GIT_TOKEN"
    read = {
        name
        for file in ROOT.glob("services/*/src/brain/*/**/settings.py")
        for name in re.findall(r'"((?:BRAIN|OTEL|XDG)_[A-Z_]+)"', file.read_text())
    }

    assert {name for name in read - NOT_FOR_PEOPLE if name not in described} == set()


def test_every_cited_decision_exists():
    cited = {
        (file.relative_to(ROOT).as_posix(), name)
        for folder in ("libs", "services")
        for file in ROOT.glob(f"{folder}/**/*.py")
        for name in re.findall(r"docs/decisions/([0-9a-z-]+)", file.read_text())
    }

    missing = [each for each in cited if not (ROOT / f"docs/decisions/{each[1]}.md").exists()]
    assert missing == []


def test_the_index_of_decisions_is_complete():
    index = (ROOT / "docs/decisions/README.md").read_text()
    records = [file.name for file in (ROOT / "docs/decisions").glob("0*.md")]

    assert [name for name in records if f"]({name})" not in index] == []


def test_every_member_has_a_readme_that_says_what_is_in_it():
    for project in [*ROOT.glob("libs/*/pyproject.toml"), *ROOT.glob("services/*/pyproject.toml")]:
        readme = project.parent / "README.md"
        assert readme.exists(), project
        assert len(readme.read_text()) > 300, readme
