"""Secrets: how many made-up ones are found, by kind and by where they stand, and how often real files seem to hold one.

Usage: ``python bench/masking.py --shared DIR``. The kinds are those of ``tests/unit/secret_kinds.py``.
"""

from __future__ import annotations

import argparse
import base64
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from treering.domain.secrets import find_secrets, masked

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/unit"))
from secret_kinds import KINDS

_EACH: Final = 20
_LINE: Final = 40


def _split(secret: str) -> str:
    """Return a secret broken over lines, as a terminal or a mail does it."""
    return "\n".join(secret[at : at + _LINE] for at in range(0, len(secret), _LINE))


PLACES: Final[dict[str, Callable[[str], str]]] = {
    "alone": lambda secret: secret,
    "in a sentence": lambda secret: f"Please use {secret} from now on, said Ines.",
    "in a fence": lambda secret: f"Run this:\n\n```sh\nexport X='{secret}'\n```\n",
    "in a table": lambda secret: f"| name | value |\n|---|---|\n| key | {secret} |\n",
    "in JSON": lambda secret: f'{{"value": "{secret}"}}',
    "in an address": lambda secret: f"https://api.acme.dev/v1?x=1&key={secret}",
    "split over lines": _split,
    "in base64": lambda secret: base64.b64encode(secret.encode()).decode(),
}
"""Where a secret may stand."""


def main(arguments: list[str]) -> None:
    """Print what is found and what is not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, required=True)
    options = parser.parse_args(arguments)
    missed: dict[str, list[str]] = {}
    for place, put in PLACES.items():
        found = 0
        for kind, make in KINDS.items():
            rng = random.Random(f"{place} {kind}")  # noqa: S311  the same secrets each time
            texts = [put(make(rng)) for _ in range(_EACH)]
            seen = sum(masked(text) != text for text in texts)
            found += seen
            if seen < _EACH:
                missed.setdefault(place, []).append(f"{kind} {seen}/{_EACH}")
        total = _EACH * len(KINDS)
        sys.stdout.write(f"{place:16} {found} of {total} ({found / total:.3f}) of {len(KINDS)} kinds\n")
    for place, kinds in missed.items():
        sys.stdout.write(f"missed {place}: {', '.join(kinds)}\n")
    files = [path for path in sorted((options.shared / "markdown").rglob("*")) if path.is_file()]
    texts = [path.read_text("utf-8", "replace") for path in files]
    before = time.process_time()
    alarms = [path for path, text in zip(files, texts, strict=True) if find_secrets(text)]
    took = time.process_time() - before
    size = sum(map(len, texts)) / 1e6
    sys.stdout.write(
        f"{len(alarms)} of {len(files)} files seem to hold one: {1000 * len(alarms) / len(files):.1f} in 1,000;"
        f" {size / took:.0f} MB per CPU second\n"
    )
    for path in alarms:
        sys.stdout.write(f"  {path.relative_to(options.shared)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
