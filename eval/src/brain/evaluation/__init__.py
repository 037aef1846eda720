"""Measures what the product promises: navigation by agents, speed against peers."""
