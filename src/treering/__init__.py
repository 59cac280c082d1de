"""Treering: long-term memory for AI agents, on its user's own machine.

```python
import treering

treering.index("docs/")
for row in treering.search("how do we roll back?"):
    print(row.file, row.lines, row.text)
```
"""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["MemoryStore", "forget", "index", "index_file", "open", "remember", "restore", "search", "status", "trust"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from treering.api import MemoryStore, forget, index, index_file, open, remember, restore, search, status, trust


def __dir__() -> list[str]:
    """Return the public names, which are imported when they are first used."""
    return sorted([*globals(), *__all__])


def __getattr__(name: str) -> Any:
    """Import the public names when they are first used: ``treering --version`` needs none of them."""
    if name in __all__:
        from treering import api

        return getattr(api, name)
    raise AttributeError(f"module 'treering' has no attribute {name!r}")
