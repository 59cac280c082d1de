"""``treering eval strata``: precision, recall, what depth saves, decay and briefings, on a corpus that is shipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.errors import InputError
from treering.surfaces.cli.terminal import say, say_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence


def measure(options: Namespace, words: Sequence[str]) -> int:
    """Measure and show what came out."""
    if words:
        raise InputError(f"treering eval strata takes no words, got {words[0][:80]!r}", hint="treering eval strata")
    from treering.evals import results, strata

    found = strata.run()
    if options.out:
        results.save(found, options.out)
    if options.json:
        say_json(found)
        return 0
    measures = found["measures"]
    rows = (
        ("precision@5", f"{measures['precision@5']:.3f}"),
        ("recall@10", f"{measures['recall@10']:.3f}"),
        ("tokens saved, L1 against L2", f"{100 * measures['saved_L1']:.1f} %"),
        ("decay: fresher and used above equals", f"{100 * measures['decay_correct']:.0f} %"),
        ("briefing: raised while active, and only then", f"{100 * measures['briefing_boost']:.0f} %"),
    )
    width = max(len(name) for name, _ in rows)
    say(
        f"{found['memories']} memories, {found['queries']} questions\n"
        + "".join(f"  {name:<{width}}  {value}\n" for name, value in rows)
        + (f"written: {options.out}\n" if options.out else "")
    )
    return 0
