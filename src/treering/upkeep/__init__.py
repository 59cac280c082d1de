"""Keeping a store honest: verify, backup, restore, export."""
