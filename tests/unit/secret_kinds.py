"""Made-up secrets of many kinds: random letters in the forms that issuers give them. None stands in this file."""

from __future__ import annotations

import base64
import json
import random
import string
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

UPPER: Final = string.ascii_uppercase + string.digits
WORD: Final = string.ascii_letters + string.digits
HEX: Final = "0123456789abcdef"
URL_SAFE: Final = WORD + "-_"


def letters(rng: random.Random, alphabet: str, count: int) -> str:
    """Return random letters, a digit and a letter among them."""
    found = "".join(rng.choices(alphabet, k=count - 2))
    return (
        found
        + rng.choice([one for one in alphabet if one.isdigit()])
        + rng.choice([one for one in alphabet if one.isalpha()])
    )


def _base64(data: bytes) -> str:
    """Return bytes as URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _jwt(rng: random.Random) -> str:
    """Return a signed token."""
    head = _base64(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    body = _base64(json.dumps({"sub": letters(rng, WORD, 12), "iat": 1}).encode())
    return f"{head}.{body}.{letters(rng, URL_SAFE, 43)}"


def _pem(rng: random.Random, kind: str = "RSA ") -> str:
    """Return a private key on lines."""
    body = "\n".join("MII" + letters(rng, WORD + "+/", 61) for _ in range(6))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


KINDS: Final[dict[str, Callable[[random.Random], str]]] = {
    "aws key": lambda rng: "AKIA" + letters(rng, UPPER, 16),
    "github token": lambda rng: "ghp_" + letters(rng, WORD, 36),
    "github fine-grained": lambda rng: f"github_pat_{letters(rng, WORD, 22)}_{letters(rng, WORD, 59)}",
    "gitlab token": lambda rng: "glpat-" + letters(rng, URL_SAFE, 20),
    "slack bot": lambda rng: (
        f"xoxb-{rng.randrange(10**11, 10**12)}-{rng.randrange(10**11, 10**12)}-{letters(rng, WORD, 24)}"
    ),
    "slack webhook": lambda rng: (
        f"https://hooks.slack.com/services/T{letters(rng, UPPER, 8)}/B{letters(rng, UPPER, 10)}/"
        + letters(rng, WORD, 24)
    ),
    "discord webhook": lambda rng: (
        f"https://discord.com/api/webhooks/{rng.randrange(10**17, 10**18)}/" + letters(rng, URL_SAFE, 68)
    ),
    "stripe key": lambda rng: "sk_live_" + letters(rng, WORD, 24),
    "stripe webhook": lambda rng: "whsec_" + letters(rng, WORD, 32),
    "openai key": lambda rng: "sk-proj-" + letters(rng, URL_SAFE, 74) + "T3BlbkFJ" + letters(rng, URL_SAFE, 74),
    "openai old key": lambda rng: "sk-" + letters(rng, WORD, 48),
    "anthropic key": lambda rng: f"sk-ant-api03-{letters(rng, URL_SAFE, 93)}AA",
    "google key": lambda rng: "AIza" + letters(rng, URL_SAFE, 35),
    "google secret": lambda rng: "GOCSPX-" + letters(rng, WORD, 28),
    "sendgrid key": lambda rng: f"SG.{letters(rng, WORD, 22)}.{letters(rng, WORD, 43)}",
    "mailgun key": lambda rng: "key-" + letters(rng, HEX, 32),
    "mailchimp key": lambda rng: letters(rng, HEX, 32) + "-us14",
    "twilio key": lambda rng: "SK" + letters(rng, HEX, 32),
    "telegram token": lambda rng: f"{rng.randrange(10**9, 10**10)}:AA{letters(rng, WORD, 33)}",
    "npm token": lambda rng: "npm_" + letters(rng, WORD, 36),
    "pypi token": lambda rng: "pypi-AgEIcHlwaS5vcmc" + letters(rng, URL_SAFE, 90),
    "hugging face token": lambda rng: "hf_" + letters(rng, WORD, 34),
    "databricks token": lambda rng: "dapi" + letters(rng, HEX, 32),
    "digitalocean token": lambda rng: "dop_v1_" + letters(rng, HEX, 64),
    "shopify token": lambda rng: "shpat_" + letters(rng, HEX, 32),
    "vault token": lambda rng: "hvs." + letters(rng, URL_SAFE, 90),
    "grafana token": lambda rng: f"glsa_{letters(rng, WORD, 32)}_{letters(rng, HEX, 8)}",
    "linear key": lambda rng: "lin_api_" + letters(rng, WORD, 40),
    "supabase token": lambda rng: "sbp_" + letters(rng, HEX, 40),
    "groq key": lambda rng: "gsk_" + letters(rng, WORD, 52),
    "docker token": lambda rng: "dckr_pat_" + letters(rng, URL_SAFE, 27),
    "azure storage": lambda rng: f"AccountName=acme;AccountKey={letters(rng, WORD + '+/', 86)}==",
    "new relic key": lambda rng: "NRRA-" + letters(rng, HEX, 42),
    "nuget key": lambda rng: "oy2" + letters(rng, "abcdefghijklmnopqrstuvwxyz0123456789", 43),
    "jwt": _jwt,
    "private key": _pem,
    "ssh key": lambda rng: _pem(rng, "OPENSSH "),
    "key in a string": lambda rng: json.dumps({"private_key": _pem(rng, "")}),
    "encoded key": lambda rng: base64.b64encode(_pem(rng).encode()).decode(),
    "password in an address": lambda rng: f"postgres://app:{letters(rng, WORD, 14)}@db.internal:5432/app",
    "password": lambda rng: f'password = "{letters(rng, WORD + "!$%", 14)}"',
    "bare password": lambda rng: f"DB_PASSWORD={letters(rng, WORD, 12)}",
    "aws secret": lambda rng: "aws_secret_access_key = " + letters(rng, WORD + "+/", 40),
    "api key": lambda rng: f'"api_key": "{letters(rng, WORD, 32)}"',
    "hex secret": lambda rng: "CLIENT_SECRET: " + letters(rng, HEX, 40),
    "token in a query": lambda rng: "https://api.acme.dev/v1/items?access_token=" + letters(rng, WORD, 40),
    "bearer header": lambda rng: "Authorization: Bearer " + letters(rng, WORD, 40),
    "basic header": lambda rng: (
        "Authorization: Basic " + base64.b64encode(f"deploy:{letters(rng, WORD, 14)}".encode()).decode()
    ),
    "chinese password": lambda rng: f"数据库密码：{letters(rng, WORD, 12)}",
    "spanish password": lambda rng: f"La contraseña es {letters(rng, WORD, 12)}.",
}
"""Kinds of secrets, each with what makes one as it would stand in a text."""

PLACES: Final = {
    "alone": "{}",
    "sentence": "Use {} for the staging run, please.",
    "fence": "```sh\nexport A={}\ncurl -H x\n```",
    "list": "- first\n- {}\n- third",
    "table": "| what | value |\n|---|---|\n| it | {} |",
    "json": '{{"a": 1, "note": "{}"}}',
    "chinese": "请使用{}登录。",
}
