"""Secrets in text: found in many forms and places, masked whole, and plain text left alone."""

# ruff: noqa: S311 - what is made up need not be unguessable

from __future__ import annotations

import base64
import random
import re
import time

import pytest
from secret_kinds import KINDS, PLACES, WORD, letters

from treering.domain.secrets import find_secrets, masked


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_is_masked_wherever_it_stands(kind: str, place: str) -> None:
    """Ten made-up ones of each kind: no ten letters in a row of the random part are left."""
    for seed in range(10):
        secret = KINDS[kind](random.Random(f"{kind}{seed}"))
        text = PLACES[place].format(secret.replace("\n", "\\n") if place in {"table", "json"} else secret)
        found = find_secrets(text)
        assert found, text
        left = masked(text)
        assert _longest_common(secret, left) < 30 or "://" in secret, left
        assert not find_secrets(left), left
        assert left.count("\n") == text.count("\n")


def _longest_common(secret: str, left: str) -> int:
    """Return how many letters of the secret's end are still there."""
    tail = re.sub(r"[^A-Za-z0-9+/_-]+$", "", secret)
    return next((size for size in range(len(tail), 0, -1) if tail[-size:] in left), 0)


def test_a_broken_token_is_found() -> None:
    """A token that an editor or a shell broke over two lines is one, with and without a quotation mark."""
    body = letters(random.Random(1), WORD, 36)
    for text in (
        f"ghp_{body[:20]}\n{body[20:]}",
        f"ghp_{body[:20]}\\\n  {body[20:]}",
        f"> ghp_{body[:20]}\n> {body[20:]}",
    ):
        assert body[25:] not in masked(text)


def test_an_encoded_token_is_found() -> None:
    """What is a token once it is read as base64 is one."""
    token = "AKIA" + "Z9ZY8XW7VU6TS5RQ"
    assert masked(f"data: {base64.b64encode(token.encode()).decode()} ok") == "data: [masked: encoded secret] ok"


def test_a_key_that_is_cut_off_is_masked_as_far_as_it_goes() -> None:
    """Without its last line a private key ends with its last line of letters."""
    text = "-----BEGIN PRIVATE KEY-----\nMIIFAKEFAKE01\nMIIFAKEFAKE02\n\nThe end."
    assert masked(text) == "[masked: private key]\n\n\n\nThe end."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("before <private>a\nb</private> after", "before [masked: private]\n after"),
        ("a <PRIVATE>x</PRIVATE> b <private>y</private>", "a [masked: private] b [masked: private]"),
        ("before <private>never closed", "before [masked: private]"),
        ("write `<private>` before it", "write `<private>` before it"),
    ],
)
def test_private_parts_are_masked(text: str, left: str) -> None:
    """What its writer marked as private goes, with the marks; lines keep their numbers."""
    assert masked(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The password is required.",
        "password: string",
        "password = request.form['password']",
        "PASSWORD=changeme",
        'api_key = "your-api-key-here-0123456789"',
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "token = os.environ['API_TOKEN_1234567890']",
        "max_tokens: 4096",
        "The secret of 2024 is patience.",
        "postgres://user:password@localhost/db",
        "postgres://postgres:postgres@localhost:5432/app",
        "https://${USER}:${PASS}@example.com",
        "https://user:<password>@host",
        "ssh://git@github.com:22/a/b",
        "AKIAIOSFODNN7EXAMPLE",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx1",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "the class sk-toggleable__label-arrow-of-the-page",
        "secret_key_base_of_the_application_settings",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "id 123e4567-e89b-12d3-a456-426614174000",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
        "token_count = 12345678901234567890",
        "key: my-service-account-token-name-2",
        "Bearer authentication is used",
        "Basic authentication is used by default",
        "密码是必填的",
        "La contraseña es obligatoria",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END CERTIFICATE-----",
    ],
)
def test_plain_text_is_left_alone(text: str) -> None:
    """Words, placeholders, references, hashes and public keys are no secrets."""
    assert find_secrets(text) == ()
    assert masked(text) == text


@pytest.mark.slow
def test_time_is_in_proportion_to_the_text() -> None:
    """Ten times the text costs about ten times as much, whatever it repeats."""
    pieces = (
        "AKIA" + "0123456789ABCDEF",
        "password: ",
        "://a:",
        "-----BEGIN PRIVATE KEY-----\n",
        "<private>",
        "eyJ",
        "ghp_\n",
        "sk-a1\n",
        "key",
        "AAAA" * 9,
        "。",
    )
    for piece in pieces:
        short, long = (_cpu(piece * count) for count in (1_000, 10_000))
        assert long < 60 * short + 0.1, piece


def _cpu(text: str) -> float:
    """Return the CPU seconds of one search."""
    before = time.process_time()
    find_secrets(text)
    return time.process_time() - before
