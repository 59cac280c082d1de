"""Reads only: a question in, the assembled, cited answer out."""
