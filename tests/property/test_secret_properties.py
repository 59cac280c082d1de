"""What holds of masking whatever the text: it ends, keeps lines and everything around, and leaves nothing to mask."""

# ruff: noqa: S311 - what is made up need not be unguessable

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from secret_kinds import KINDS

from treering.domain.secrets import find_secrets, masked

PIECES = (
    *(
        "password: ",
        "token=",
        '"',
        "'",
        " is ",
        "://a:",
        "@host",
        "<private>",
        "</private>",
        "\n",
        "\r\n",
        "\\\n",
        " ",
        "é",
        "İ",
    ),
    *(
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "MIIabc123456",
        "ghp_",
        "sk-",
        "Bearer ",
        "Basic ",
        "密码：",
    ),
)
secrets = st.builds(
    lambda kind, seed: KINDS[kind](random.Random(seed)), st.sampled_from(sorted(KINDS)), st.integers(0, 99)
)
texts = st.lists(st.one_of(st.sampled_from(PIECES), secrets, st.text(max_size=20)), max_size=12).map("".join)


@given(texts)
def test_what_is_masked_has_no_secret_left(text: str) -> None:
    """Secrets come in order and apart; masking keeps what is around them, and the number of lines."""
    found = find_secrets(text)
    end = 0
    around = []
    for one in found:
        assert end <= one.span.start < one.span.stop <= len(text)
        around.append(text[end : one.span.start])
        end = one.span.stop
    left = masked(text, found)
    assert left.count("\n") == text.count("\n")
    assert all(part in left for part in around)
    assert left.endswith(text[end:])
    assert masked(text) == left
    assert masked(left) == left


@given(st.text())
def test_any_text_can_be_masked(text: str) -> None:
    """No text makes the search fail."""
    masked(text)
