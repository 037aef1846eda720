"""Tokens, permissions and principals. Pure."""
