"""Anthropic's Messages API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.summarisers import http

if TYPE_CHECKING:
    from collections.abc import Sequence

_URL = "https://api.anthropic.com/v1"
_VERSION = "2023-06-01"


class AnthropicSummariser:
    """``ports.tree.Summariser`` by the Messages API."""

    def __init__(self, url: str, model: str, key: str, timeout_s: float) -> None:
        """Remember whom to ask; nothing is sent.

        Args:
            url: up to the version; empty for Anthropic's own.
            model: the model's name.
            key: the API key.
            timeout_s: how long a reply may take.
        """
        self._url = f"{(url or _URL).rstrip('/')}/messages"
        self._model = model
        self._key = key
        self._timeout_s = timeout_s
        self.id = f"anthropic/{model}/1"

    def summarise(self, texts: Sequence[str], max_chars: int) -> str:
        """Return what the model says of the texts.

        Raises:
            Unavailable: if it says nothing usable.
        """
        body = {
            "model": self._model,
            "max_tokens": http.TOKENS,
            "system": http.ORDERS.format(chars=max_chars),
            "messages": [{"role": "user", "content": http.notes(texts)}],
        }
        headers = {"anthropic-version": _VERSION, **({"x-api-key": self._key} if self._key else {})}
        reply = http.post(self._url, headers, body, self._timeout_s)
        return http.words(reply, "content", 0, "text")
