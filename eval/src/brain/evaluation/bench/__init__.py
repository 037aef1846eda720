"""The bench: how fast and how large the product is, each figure beside a peer of the same run."""
