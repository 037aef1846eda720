"""Turns a branch into its index, one build at a time a source."""
