"""Embedders: text into vectors, behind ``ports.Embedder``.

``static`` is built in and works offline, in English; ``hashing`` needs no data and knows no meanings.
Here too: the static embedder's data file (``table``, ``data/``), its words (``wordpiece``) and its
batches (``batch``, the only importer of numpy). Not here: storing vectors and comparing them.
"""
