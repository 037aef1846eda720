"""The table of commands: name, where it is imported from, one line of help.

A group of commands is a module here; adding one is a module and its rows.
"""

from typing import NamedTuple


class Place(NamedTuple):
    """Where a command is found and what the overview says of it."""

    #: ``module:attribute`` of a ``click.Command``, imported when called.
    target: str
    summary: str


COMMANDS = {
    "demo": Place("brain.cli.commands.demo:demo", "Try it on the example or a repository."),
    "up": Place("brain.cli.commands.instance:up", "Start Brain on this machine."),
    "down": Place("brain.cli.commands.instance:down", "Stop it and all its processes."),
    "status": Place("brain.cli.commands.projects:status", "Show what runs and how projects are."),
    "project": Place("brain.cli.commands.projects:project", "Add, list and remove projects."),
    "build": Place("brain.cli.commands.projects:build", "Fetch a repository and build its tip."),
    "index": Place("brain.cli.commands.folders:index", "Index a plain folder of Markdown."),
    "tree": Place("brain.cli.commands.reads:tree", "Show a node and its children."),
    "outline": Place("brain.cli.commands.reads:outline", "Show every node in tree order."),
    "read": Place("brain.cli.commands.reads:read", "Print a node's text and where it stands."),
    "lookup": Place("brain.cli.commands.reads:lookup", "Find nodes by id, path or name."),
    "grep": Place("brain.cli.commands.reads:grep", "Find the lines that hold every word."),
    "search": Place(
        "brain.cli.commands.search:search", "Find the passages that answer a question."
    ),
    "bundle": Place("brain.cli.commands.bundle:bundle", "Compile what a task needs into one text."),
    "gaps": Place("brain.cli.commands.bundle:gaps", "List what was asked and not answered."),
    "changes": Place("brain.cli.commands.history:changes", "Show what changed since a commit."),
    "cite": Place("brain.cli.commands.history:cite", "Find where cited lines are now."),
    "broken": Place("brain.cli.commands.history:broken", "List the links that lead nowhere."),
    "backlinks": Place("brain.cli.commands.history:backlinks", "List the links to a page."),
    "eval": Place(
        "brain.cli.commands.evaluation:evaluate", "Measure search by questions with known answers."
    ),
    "dump": Place("brain.cli.commands.reads:dump", "Print every stored row of an index."),
    "token": Place("brain.cli.commands.tokens:token", "Make, list and revoke tokens."),
    "mcp": Place("brain.cli.commands.mcp:mcp", "Speak MCP on standard input and output."),
    "model": Place("brain.cli.commands.model:model", "Fetch an embedding model's weights."),
    "migrate": Place("brain.cli.commands.migrate:migrate", "Bring a database's schema up to date."),
    "version": Place("brain.cli.commands.version:version", "Print the version."),
}
