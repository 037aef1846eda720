"""Global options in any position of a command line."""

from collections.abc import Sequence

#: What ``--wait`` without seconds means.
WAIT_S = 3600

#: Options of every command, and whether a value follows.
GLOBALS = {"--data": True, "--url": True, "--token": True, "--json": False}


def globals_first(argv: Sequence[str]) -> list[str]:
    """Move the global options before the command, where Click expects them.

    ``tree docs / --json`` and ``tree --json docs /`` become ``--json tree docs /``. Nothing after
    ``--`` is moved. An option whose value is missing stays last, so that Click reports it.
    """
    moved: list[str] = []
    rest: list[str] = []
    position = 0
    while position < len(argv):
        word = argv[position]
        if word == "--":
            rest.extend(argv[position:])
            break
        if word == "--wait":
            # Its seconds are optional and follow an equals sign: the next word is no value of it.
            word = f"--wait={WAIT_S}"
        name, equals, _ = word.partition("=")
        takes_value = GLOBALS.get(name)
        if takes_value is None or (equals and not takes_value):
            rest.append(word)
            position += 1
            continue
        width = 2 if takes_value and not equals else 1
        moved.extend(argv[position : position + width])
        position += width
    return moved + rest
