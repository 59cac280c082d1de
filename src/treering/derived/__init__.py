"""Canonical rows to derived ones, which reindex can make again; named apart from the function ``treering.index``."""
