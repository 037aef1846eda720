"""Bare mirrors of Git repositories: the only user of libgit2 and the git binary."""
