"""``python -m treering`` is the command line."""

import sys

from treering.surfaces.cli import main

sys.exit(main())
