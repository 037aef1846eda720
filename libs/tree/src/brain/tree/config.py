"""What ``.brain/config.yaml`` in a repository may set; part of the commit, hence of the index."""

from typing import Literal

import msgspec

AnchorDialect = Literal["github", "gitlab", "gitea", "mkdocs", "docusaurus", "obsidian"]


class TreeConfig(msgspec.Struct, frozen=True):
    """The settings of one repository at one commit."""

    dialect: AnchorDialect = "github"
    #: Folder path without trailing slash -> what it holds, in the file's order.
    layout: tuple[tuple[str, str], ...] = ()
