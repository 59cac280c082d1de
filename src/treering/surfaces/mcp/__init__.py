"""The MCP server: tools and resources over standard streams, for any client of the Model Context Protocol.

``serve`` is the whole of it. ``tools`` is the table of tools; ``calls`` carries them out, ``arguments`` reads
what an agent passed, ``replies`` turns outcomes and errors into what it is shown. ``workplace`` finds the project
and keeps its memory warm; ``confine`` says which folders an agent may name. ``protocol`` binds all that to the
official SDK; ``streams`` carries its messages. Nothing is imported here: only a server pays for the SDK.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def run() -> NoReturn:
    """Run ``treering serve`` as a process and end it: what the ``treering-mcp`` script calls."""
    import sys

    from treering.surfaces import cli

    sys.argv[1:1] = ["serve"]
    cli.run()
