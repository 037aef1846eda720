"""Summaries: the rules in their order, the first that says something wins."""

from collections.abc import Callable

from brain.tree.summary.children import children, folder_children
from brain.tree.summary.code import code
from brain.tree.summary.diagram import diagram
from brain.tree.summary.facts import facts
from brain.tree.summary.fields import fields
from brain.tree.summary.front_matter import front_matter
from brain.tree.summary.layout import layout
from brain.tree.summary.list_items import list_items
from brain.tree.summary.paragraph import paragraph
from brain.tree.summary.readme import readme
from brain.tree.summary.section import first_section, named_section
from brain.tree.summary.subject import FolderSubject, Subject
from brain.tree.summary.table import table
from brain.tree.summary.text import text

NODE_RULES: tuple[tuple[str, Callable[[Subject], str]], ...] = (
    ("front-matter", front_matter),
    ("text", text),
    ("paragraph", paragraph),
    ("section", named_section),
    ("fields", fields),
    ("list", list_items),
    ("table", table),
    ("diagram", diagram),
    ("code", code),
    ("section", first_section),
    ("facts", facts),
    ("children", children),
)

# A layout speaks of the few folders it names, so it comes before the children every folder has
FOLDER_RULES: tuple[tuple[str, Callable[[FolderSubject], str]], ...] = (
    ("readme", readme),
    ("layout", layout),
    ("children", folder_children),
)
