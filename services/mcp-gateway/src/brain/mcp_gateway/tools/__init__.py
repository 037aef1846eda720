"""Tools, one module a toolset."""
