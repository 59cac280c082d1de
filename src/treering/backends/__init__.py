"""Databases behind the storage port. Relational SQL is written once, search once for each database."""
