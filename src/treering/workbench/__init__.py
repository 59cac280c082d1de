"""The working agent's bench: code by symbol, files without paying twice, scratch notes, long output made short.

Everything here is given what it works on, and decides: ``symbols`` and ``codemap`` lay a project out, ``find`` picks
the one symbol that answers, ``reads`` says what is new about a file since it was last handed out, ``scratch`` finds
what a session noted down, ``digest`` condenses output with the help of ``runners``. ``desk`` is what a session has on
its table; ``sessions`` keeps that of a terminal in a file, outside the database. Nothing here reaches a store.
"""
