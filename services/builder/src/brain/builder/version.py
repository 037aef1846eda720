"""The builder's version: raised whenever the same commit would give other rows."""

BUILDER_VERSION = 6
