"""``python -m treering`` is the command line."""

from treering.surfaces.cli import run

run()
