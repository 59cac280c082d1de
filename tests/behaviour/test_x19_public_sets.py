"""X19: the files that benchmarks publish become question sets that can be measured."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from treering.evals import datasets, runs

SCRIPT = Path(__file__).parents[2] / "bench" / "public_sets.py"

LONGMEMEVAL = [
    {
        "question_id": id,
        "question_type": "single-session-user",
        "question": "What colour is my boat?",
        "question_date": "2023/05/23 (Tue) 07:05",
        "answer_session_ids": ["answer_1"],
        "haystack_session_ids": ["answer_1", "other"],
        "haystack_dates": ["2023/05/20 (Sat) 00:37", "2023/05/21 (Sun) 10:00"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "My boat is painted green now.", "has_answer": True},
                {"role": "assistant", "content": "Lovely."},
            ],
            [{"role": "user", "content": "What is a good soup?"}],
        ],
    }
    for id in ("q1", "q1_abs")
]
LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "session_1_date_time": "4:04 pm on 20 January, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a heron.", "blip_caption": "a bird"},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "Great!"},
            ],
        },
        "qa": [
            {"question": "What did Ann adopt?", "answer": "a heron", "evidence": ["D1:1; D9:9"], "category": 4},
            {"question": "What did Bo adopt?", "adversarial_answer": "a heron", "evidence": ["D1:1"], "category": 5},
        ],
    }
]
BEAM_CHAT = [
    {
        "batch_number": 1,
        "turns": [
            [
                {"role": "user", "id": 0, "content": "We deploy on Friday ->-> 1,1", "time_anchor": "March-15-2024"},
                {"role": "assistant", "id": 1, "content": "Noted."},
            ]
        ],
    }
]
BEAM_PROBES = {
    "knowledge_update": [{"question": "When do we deploy?", "source_chat_ids": {"original": [0], "updated": [7]}}],
    "abstention": [{"question": "Who is the mayor?"}],
}


@pytest.fixture(params=["longmemeval", "locomo", "beam"])
def made(request: pytest.FixtureRequest, tmp_path: Path) -> datasets.Dataset:
    """Return the set that the script makes of a benchmark's files."""
    source = tmp_path / "source"
    if request.param == "beam":
        (source / "1").mkdir(parents=True)
        _write(source / "1" / "chat.json", BEAM_CHAT)
        _write(source / "1" / "probing_questions.json", BEAM_PROBES)
    else:
        _write(source, LONGMEMEVAL if request.param == "longmemeval" else LOCOMO)
    out = tmp_path / str(request.param)
    subprocess.run([sys.executable, SCRIPT, request.param, source, out], check=True, stdout=subprocess.DEVNULL)
    return datasets.read(out)


def _write(file: Path, value: Any) -> None:
    """Write JSON."""
    file.write_text(json.dumps(value), encoding="utf-8")


def test_a_published_file_becomes_a_set(made: datasets.Dataset) -> None:
    """Each has one question that is judged, with the evidence that exists, and one that nothing answers."""
    judged, other = made.questions
    assert (judged.judged, other.abstain, other.judged) == (True, True, False)
    assert len(judged.relevant) == 1
    documents = made.groups[judged.group]
    [evidence] = [one for one in documents if one.id in judged.relevant]
    assert evidence.speaker
    assert evidence.session
    assert evidence.date
    assert "->->" not in evidence.text


def test_the_set_can_be_measured(made: datasets.Dataset) -> None:
    """The one judged question finds its evidence."""
    row = runs.run(made, runs.Plan(rows=("keyword",)))["rows"]["keyword"]
    assert row["measures"]["any@10"] == 1.0


def test_anything_else_says_how_to_use_it(tmp_path: Path) -> None:
    """An unknown benchmark gets the usage and makes nothing."""
    run = subprocess.run(
        [sys.executable, SCRIPT, "other", tmp_path, tmp_path / "out"], check=False, capture_output=True, text=True
    )
    assert run.returncode == 2
    assert "usage" in run.stderr
    assert not (tmp_path / "out").exists()
