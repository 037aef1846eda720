"""Keeps the mirrors, notices that branches moved, and says so."""
