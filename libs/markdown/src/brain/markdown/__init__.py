"""Markdown bytes to headings, front matter, links and text, with Git's lines. Pure."""
