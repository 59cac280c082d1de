"""The mirror: every memory as a readable file, an Open Knowledge Format bundle, both ways.

``render`` makes texts of rows, ``folder`` puts them on disk, ``catch_up`` writes what has changed, ``reading`` makes
rows of texts again for a rebuild, ``changes`` finds what people did to the files, ``foreign`` reads other tools'
bundles. Nothing here changes a memory: that is for the caller to propose.
"""
