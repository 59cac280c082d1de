"""Outside text becomes source versions: walking a root, ignore rules, decoding, metadata, changes.

In the room: ``scan`` (which files a root holds), ``ignore`` and ``globs`` (what is passed over),
``reading`` (bytes without following links), ``encoding`` (bytes to text), ``metadata`` and ``rules``
(front matter and path rules), ``removal`` (what may leave the index), ``pipeline`` (a whole run).
Not in the room: cutting text into chunks, and writing to a store.
"""
