"""Curves of questions told apart, as SVG: drawn from a result's questions, without a plotting library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SIDE: Final = 300
_LEFT, _TOP = 60, 30
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73")


def points(questions: Sequence[Mapping[str, Any]], row: str = "hybrid") -> list[tuple[float, float]]:
    """Return for every threshold the share of near misses and of answerable questions that get an answer."""
    own = [one["rows"][row]["confidence"] for one in questions if one["rows"][row]["measures"]]
    near = [one["rows"][row]["confidence"] for one in questions if one.get("abstain")]
    thresholds = [1.01, *sorted({*own, *near}, reverse=True)]
    return [(_from(near, least), _from(own, least)) for least in thresholds]


def _from(scores: Sequence[float], least: float) -> float:
    """Return the share of scores that reach a threshold."""
    return sum(score >= least for score in scores) / len(scores)


def drawn(sets: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Return one curve for each set: near misses answered to the right, own questions answered upwards."""
    size = f'width="{_LEFT + _SIDE + 220}" height="{_TOP + _SIDE + 50}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}" fill="none" stroke="#888"/>',
        f'<line x1="{_LEFT}" y1="{_TOP + _SIDE}" x2="{_LEFT + _SIDE}" y2="{_TOP}" stroke="#ccc"/>',
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        across, down = _place(share, share)
        lines.append(f'<text x="{across}" y="{_TOP + _SIDE + 16}" text-anchor="middle">{share:g}</text>')
        lines.append(f'<text x="{_LEFT - 8}" y="{down + 4}" text-anchor="end">{share:g}</text>')
    middle = _LEFT + _SIDE / 2
    lines.append(f'<text x="{middle}" y="{_TOP + _SIDE + 36}" text-anchor="middle">near misses answered</text>')
    turned = f'transform="rotate(-90 16 {_TOP + _SIDE / 2})"'
    lines.append(f'<text x="16" y="{_TOP + _SIDE / 2}" text-anchor="middle" {turned}>own questions answered</text>')
    for number, (name, questions) in enumerate(sets.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        path = " ".join("{:.1f},{:.1f}".format(*_place(*point)) for point in points(questions))
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        legend = _TOP + 20 + 20 * number
        lines.append(f'<text x="{_LEFT + _SIDE + 16}" y="{legend}" fill="{colour}">{name}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _place(across: float, up: float) -> tuple[float, float]:
    """Return where a point lies in the picture."""
    return _LEFT + across * _SIDE, _TOP + (1 - up) * _SIDE
