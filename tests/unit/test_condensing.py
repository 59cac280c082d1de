"""Extractive digests: what pages say, without what they are laid out with."""

from __future__ import annotations

import pytest

from treering.domain.condensing import condense


@pytest.mark.parametrize(
    ("text", "digest"),
    [
        ('<div class="termy">\nThe server starts on port 8000.\n</div>', "The server starts on port 8000."),
        ("See [the guide](../guide.md) and ![a screen](screen.png) first.", "See the guide and first."),
        ("## Set it up { #set-it-up }\n\nIt needs a key of the owner.", "Set it up It needs a key of the owner."),
        ("```console\nuv run app\n```\nStops with Ctrl+C.", "Stops with Ctrl+C."),
        ("/// tip\n\nUse one worker per core.\n\n///", "Use one worker per core."),
        ("Read https://example.org/a/b?c=d before you start.", "Read before you start."),
    ],
)
def test_layout_is_left_out(text: str, digest: str) -> None:
    """Tags, fences, addresses, pictures and attributes say nothing of what a page is about."""
    assert condense([text]) == digest


@pytest.mark.parametrize(
    "text", ["![diagram](flow.png)", "<img alt='flow'>", "https://example.org/flow", "```\nmake all"]
)
def test_a_text_of_layout_alone_is_its_own_digest(text: str) -> None:
    """Nothing is better than what little there is, but nothing must not be all."""
    assert condense([text]).strip("` ") == " ".join(text.strip("`").split())


def test_comparisons_are_no_tags() -> None:
    """What only looks like a tag stays."""
    assert condense(["Retry while tries < 5 and waited > 10 seconds."]).startswith("Retry while tries < 5")


def test_what_texts_have_in_common_comes_first() -> None:
    """A digest that has room for one sentence takes the one that speaks of what all speak of."""
    texts = [
        "The boiler is checked in March. Anna has a new bicycle.",
        "The boiler was checked by Luis, who has tea.",
    ]
    assert "boiler" in condense(texts, max_chars=60)
