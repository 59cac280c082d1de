"""Canonical rows to derived ones: what reindex can make again."""
