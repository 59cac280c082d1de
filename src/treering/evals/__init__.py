"""Retrieval measured on question sets: what is found, what fits a budget, what is refused.

Here: ``datasets`` (sets from files), ``dates``, ``memories`` (a store for each group, asked as users ask),
``baselines`` (grep and BM25 beside them), ``metrics``, ``runs`` (all of it over a set), ``results`` (files that
can be compared). Nothing of this takes part in a search.
"""
