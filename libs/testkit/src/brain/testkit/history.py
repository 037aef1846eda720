"""Random histories: the ways in which a repository of Markdown changes, and then some."""

from pathlib import Path
from random import Random

import pygit2

_WORDS = ("prices", "dates", "rules", "orders", "stock", "review", "returns", "billing", "teams")
_FOLDERS = ("", "rules/", "guides/", "guides/deep/", "restricted/", "Notes/", ".hidden/")
_HOMES = ("README.md", "readme.md", "index.md")
_CONFIG = ".brain/config.yaml"
_LINKS = (
    "[it]({word}-1.md)",
    "[a](../{folder}{word}-{number}.md#r-0{digit}-{word})",
    "[b](/{folder}{word}-{number}.md?plain=1#{word})",
    "[c](/{folder})",
    "[d](<{word}-{number}.md> 'why')",
    "<a href='{word}-{number}.md'>e</a>",
    "[[x-1]]",
    "[[{word}-{number}]]",
    "[[{folder}{word}-{number}#{word}|f]]",
    "[[Also {word}]]",
    "R-0{digit}",
    "MOVED-01",
)
_EMAIL = "author@test.invalid"
_FIRST_S = 1_700_000_000


class RandomHistory:
    """A bare repository that changes by one random step at a time.

    Args:
        path: where it is made.
        random: decides everything, so equal seeds give equal histories.
    """

    def __init__(self, path: Path, random: Random) -> None:
        self.path = path
        self._random = random
        self._repository = pygit2.init_repository(str(path), bare=True, initial_head="main")
        self._files: dict[str, str] = {}
        self._commits: list[tuple[str, dict[str, str]]] = []
        self._count = 0
        for _ in range(25):
            self._add()

    @property
    def line(self) -> list[tuple[str, dict[str, str]]]:
        """Commits the branch holds and their files, the oldest first and the tip last.

        What a force push threw away, and the far side of a merge, is left out.
        """
        held = {str(each.id) for each in self._repository.walk(self._commits[-1][0])}
        return [each for each in self._commits if each[0] in held]

    def step(self) -> str:
        """Commit one random change and say what it was."""
        steps = (
            self._add,
            self._edit,
            self._edit,
            self._delete,
            self._rename,
            self._swap,
            self._case,
            self._move_folder,
            self._flip_front_matter,
            self._move_id,
            self._alias,
            self._home,
            self._dialect,
            self._merge,
            self._revert,
            self._force,
        )
        chosen = self._random.choice(steps) if self._commits else self._add
        chosen()
        if chosen not in (self._merge, self._force):
            self._commit([self._commits[-1][0]] if self._commits else [])
        return chosen.__name__

    def _commit(self, parents: list[str]) -> None:
        tree = self._tree(self._files)
        # Some clocks are wrong: every seventh commit claims to be older than its parent.
        skew = -500 if self._count % 7 == 6 else 0
        who = pygit2.Signature("Author", _EMAIL, _FIRST_S + 60 * self._count + skew, 0)
        self._count += 1
        oid = self._repository.create_commit(
            None, who, who, f"Change {self._count}", tree, [pygit2.Oid(hex=p) for p in parents]
        )
        self._repository.references.create("refs/heads/main", oid, force=True)
        self._commits.append((str(oid), dict(self._files)))

    def _tree(self, files: dict[str, str]) -> pygit2.Oid:
        index = pygit2.Index()
        for name, text in sorted(files.items()):
            blob = self._repository.create_blob(text.encode())
            index.add(pygit2.IndexEntry(name, blob, pygit2.enums.FileMode.BLOB))
        return index.write_tree(self._repository)

    def _name(self) -> str:
        word = self._random.choice(_WORDS)
        folder = self._random.choice(_FOLDERS)
        return f"{folder}{word}-{self._random.randrange(30)}.md"

    def _any(self) -> str:
        return self._random.choice(sorted(self._files.keys() - {_CONFIG}))

    def _text(self) -> str:
        pick = self._random.choice
        number = self._random.randrange(12)
        parts = [f"# {pick(_WORDS).title()}\n", f"\nAbout {pick(_WORDS)} and R-{number:02}.\n"]
        if self._random.random() < 0.3:
            parts.insert(
                0, f"---\nid: DOC-{number:03}\nstatus: {pick(['draft', 'retired'])}\n---\n"
            )
        links = " ".join(self._link() for _ in range(3))
        parts.append(f"\n## R-{number:02} {pick(_WORDS)}\n\nSee {links}.\n")
        return "".join(parts)

    def _link(self) -> str:
        return self._random.choice(_LINKS).format(
            word=self._random.choice(_WORDS),
            folder=self._random.choice(_FOLDERS),
            number=self._random.randrange(30),
            digit=self._random.randrange(10),
        )

    def _add(self) -> None:
        self._files[self._name()] = self._text()

    def _edit(self) -> None:
        self._files[self._any()] = self._text()

    def _delete(self) -> None:
        if len(self._files) > 12:
            del self._files[self._any()]

    def _rename(self) -> None:
        self._files[self._name()] = self._files.pop(self._any())

    def _swap(self) -> None:
        one, other = self._any(), self._any()
        self._files[one], self._files[other] = self._files[other], self._files[one]

    def _case(self) -> None:
        name = self._any()
        folder, _, last = name.rpartition("/")
        changed = last.upper() if last.islower() else last.lower()
        self._files[f"{folder}/{changed}" if folder else changed] = self._files.pop(name)

    def _move_folder(self) -> None:
        old = self._random.choice([folder for folder in _FOLDERS if folder])
        for name in [name for name in self._files if name.startswith(old)]:
            self._files[f"moved/{name}"] = self._files.pop(name)

    def _flip_front_matter(self) -> None:
        name = self._any()
        text = self._files[name]
        if text.startswith("---\n"):
            self._files[name] = text.partition("\n---\n")[2]
        else:
            self._files[name] = f"---\ntitle: {self._random.choice(_WORDS)}\n---\n{text}"

    def _move_id(self) -> None:
        one, other = self._any(), self._any()
        self._files[other] += "\n## MOVED-01 here\n"
        self._files[one] = self._files[one].replace("## MOVED-01 here\n", "")

    def _alias(self) -> None:
        name = self._any()
        alias = f"---\naliases: [Also {self._random.choice(_WORDS)}]\n---\n"
        self._files[name] = alias + self._text().rpartition("\n---\n")[2]

    def _home(self) -> None:
        folder = self._random.choice(_FOLDERS)
        self._files[f"{folder}{self._random.choice(_HOMES)}"] = self._text()

    def _dialect(self) -> None:
        """Give the repository its own settings, or take them away; rarely, as in life."""
        if self._random.random() < 0.5:
            self._edit()
        elif _CONFIG in self._files:
            del self._files[_CONFIG]
        else:
            self._files[_CONFIG] = "dialect: obsidian\nlayout: {rules: what holds}\n"

    def _revert(self) -> None:
        self._files = dict(self._random.choice(self._commits)[1])

    def _merge(self) -> None:
        """Merge a branch that began at an older commit, taking a mixture of both sides."""
        tip, now = self._commits[-1]
        base, then = self._random.choice(self._commits)
        self._files = dict(then)
        self._edit()
        self._add()
        self._commit([base])
        side, beside = self._commits.pop()
        names = sorted(now.keys() | beside.keys())
        sides = {name: self._random.choice((now, beside)) for name in names}
        self._files = {name: sides[name][name] for name in names if name in sides[name]}
        self._commit([tip, side])

    def _force(self) -> None:
        """Throw the last commits away and go on from an older one."""
        base, files = self._random.choice(self._commits)
        self._files = dict(files)
        self._edit()
        self._commit([base])
