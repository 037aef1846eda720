"""Ranked search as pure functions: terms, chunks, postings, scores, fusion, bundles."""
