"""`research ask` and what it stands on: a question to a running stack, answered with passages of its evidence."""

import json
import os
import pty
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from harness.schemas import check_result
from typer.testing import CliRunner

from infra import evidence_files
from infra.cli import app
from infra.client.asking import Answered, Ask, ask
from infra.client.facts import Facts
from infra.client.rest import Api
from tests.stack.research_command import COMMAND, ROOT, SAMPLE, Dev, environment, research

QUESTION = "How long does the battery last?"
TEXTS = evidence_files.read(SAMPLE)


def answer_to(facts: Facts, asked: Ask) -> tuple[Answered, list[str]]:
    """What the stack answers, held to the contract, and every state that its run was seen in."""
    states: list[str] = []
    with Api(facts.rest_url, facts.token) as api:
        answered = ask(api, facts, asked, states.append)
    check_result("assistant_status", answered.status)
    check_result("citations_get", answered.citations)
    return answered, states


def passages(answered: Answered) -> list[dict[str, Any]]:
    """Every passage of the answer."""
    assert answered.citations is not None
    cited = answered.citations["citations"]
    claims = [cited["answer"], *cited["findings"], *cited["query_suggestions"]]
    return [passage for claim in claims for passage in claim["passages"]]


@pytest.mark.parametrize("kind", ["question", "overview", "themes", "audiences", "sentiment", "query_suggestions"])
def test_each_kind_of_request_is_answered_in_passages_of_the_evidence(stack: Dev, kind: str) -> None:
    answered, states = answer_to(stack.facts, Ask(QUESTION, kind, "en"))

    assert (answered.status["run"]["request_kind"], states[0], states[-1]) == (kind, "queued", "completed")
    texts = {pinned.evidence_id: source for pinned, source in zip(stack.facts.evidence, TEXTS, strict=True)}
    found = passages(answered)
    assert found
    for passage in found:
        source = texts[passage["evidence_id"]]
        assert passage["text"] == source.text[passage["start"] : passage["end"]]
        assert (passage["title"], passage["url"]) == (source.title, source.url)
    answer = answered.status["message"]["answer"]
    assert len(answer["sentiment"]) == (len(TEXTS) if kind == "sentiment" else 0)
    assert bool(answer["query_suggestions"]) == (kind == "query_suggestions")


@pytest.mark.parametrize(
    ("language", "question", "quoted"),
    [
        ("en", "How long does the battery last?", "the battery lasts about seven hours"),
        ("fr", "Combien de temps la batterie tient-elle ?", "La batterie tient toute la matinée"),
        ("ja", "バッテリーはどのくらい持ちますか。", "バッテリーは朝から夕方まで持ちます"),
    ],
)
def test_a_conversation_in_each_language_quotes_that_language(
    stack: Dev, language: str, question: str, quoted: str
) -> None:
    pairs = zip(stack.facts.evidence, TEXTS, strict=True)
    chosen = tuple(pinned for pinned, source in pairs if source.language == language)
    facts = stack.facts.model_copy(update={"evidence": chosen})

    answered, _ = answer_to(facts, Ask(question, "question", language))

    assert any(quoted in passage["text"] for passage in passages(answered))
    assert quoted in answered.status["message"]["answer"]["answer"]["statement"]


def test_a_question_that_the_evidence_does_not_answer_cites_all_of_it(stack: Dev) -> None:
    answered, _ = answer_to(stack.facts, Ask("Who won the chess olympiad?", "question", "en"))

    main = answered.status["message"]["answer"]["answer"]
    assert (main["basis"], passages(answered)) == ("inferred", [])
    assert main["evidence"] == [pinned.model_dump() for pinned in stack.facts.evidence]


def test_the_command_prints_the_answer_plainly_and_its_progress_apart(stack: Dev) -> None:
    told = research(stack.directory, "ask", QUESTION)

    assert told.returncode == 0
    assert "Answer (observed)\n" in told.stdout
    assert "    “On the lowest setting the battery lasts about seven hours" in told.stdout
    assert (
        "    — Seven hours on a hot balcony, mara_k, 2026-06-03, https://example.com/brisa/reviews/1\n" in told.stdout
    )
    assert "\nLimitation: " in told.stdout
    assert "  model stand-in\n" in told.stdout
    states = told.stderr.splitlines()
    assert (states[0], states[-1]) == ("run queued", "run completed")
    assert len(states) == len(set(states))
    assert (told.stdout + told.stderr).replace("\n", "").isprintable()


@pytest.mark.parametrize("kind", ["sentiment", "query_suggestions"])
def test_what_other_kinds_have_to_say_is_printed_too(stack: Dev, kind: str) -> None:
    told = research(stack.directory, "ask", QUESTION, "--kind", kind)

    heading = {"sentiment": "Sentiment: negative — ", "query_suggestions": "\nSuggested query\n"}[kind]
    assert (told.returncode, heading in told.stdout) == (0, True)


def test_on_a_terminal_the_state_is_one_live_line(stack: Dev) -> None:
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        (*COMMAND, "ask", QUESTION),
        cwd=ROOT,
        env=environment(stack.directory, TERM="xterm"),
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    shown = b""
    with suppress(OSError):  # Linux ends a terminal's output with an error
        while piece := os.read(controller, 65536):
            shown += piece
    os.close(controller)

    assert process.wait(timeout=10) == 0
    assert "seven hours" in shown.decode()
    assert b"run queued" not in shown
    assert b"\x1b[2K" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Why?", "--kind", "guess"], "--kind is one of: question, overview, themes, audiences, sentiment, "),
        ([""], "A question is 1 to 2000 characters of text."),
        (["x" * 2001], "A question is 1 to 2000 characters of text."),
        ([os.fsdecode(b"\xff")], "A question is 1 to 2000 characters of text."),
        (["Why?", "--stack", "nothing.json"], "nothing.json: No such file or directory. It should hold the line"),
        (["Why?", "--stack", "/"], "/: Is a directory. It should hold the line"),
        (["Why?", "--stack", str(SAMPLE)], f"{SAMPLE}: not the facts of a stack. It should hold the line"),
        (["Why?", "--stack", "/dev/null"], "/dev/null: not the facts of a stack."),
        (["Why?", "--stack", str(SAMPLE), "--fresh"], "--stack names a running stack; --fresh and --evidence start"),
    ],
)
def test_what_cannot_be_asked_is_said_in_a_line_and_ends_in_1(arguments: list[str], said: str) -> None:
    refused = CliRunner().invoke(app, ["ask", *arguments])

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.startswith(said)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rest_url": "http://127.0.0.1:9"}, "http://127.0.0.1:9 cannot be reached"),
        ({"rest_url": "nowhere"}, "nowhere cannot be reached"),
        ({"rest_url": "http://["}, "http://[ cannot be reached"),
        ({"token": "nothing"}, "unauthenticated: "),
        ({"workspace_id": "nothing"}, "invalid_request: "),
        ({"project_id": "00000000-0000-4000-8000-000000000000"}, "not_found: "),
    ],
)
def test_an_api_that_does_not_answer_or_refuses_is_said_in_a_line_and_ends_in_1(
    stack: Dev, tmp_path: Path, changes: dict[str, str], said: str
) -> None:
    file = tmp_path / "stack.json"
    file.write_text(json.dumps(json.loads(stack.line) | changes))

    refused = CliRunner().invoke(app, ["ask", QUESTION, "--stack", str(file)])

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.startswith(said)


def test_a_stack_that_has_died_is_replaced_by_a_fresh_one(stack: Dev, tmp_path: Path) -> None:
    dead = json.loads(stack.line) | {"token": "rtk_of_another_stack_at_this_address"}
    (tmp_path / "dev.json").write_text(json.dumps(dead))

    told = research(tmp_path, "ask", QUESTION)

    assert told.returncode == 0
    assert told.stderr.splitlines()[:2] == [
        f"The stack of {tmp_path / 'dev.json'} is gone.",
        "Starting a stack for this question alone.",
    ]
    assert "seven hours" in told.stdout


def test_of_more_evidence_than_a_conversation_takes_the_first_twenty_are_asked(tmp_path: Path) -> None:
    rows = [f"In week {number} the lamp flickered, as before." for number in range(1, 26)]
    rows[20] = "The battery lasts for ever."
    rows[3] = "The battery \x1b[31m lasts [bold]four[/bold] hours :smile:."
    evidence = tmp_path / "evidence.csv"
    evidence.write_text("\n".join(["text", *(f'"{row}"' for row in rows)]))

    told = research(tmp_path, "ask", QUESTION, "--evidence", str(evidence))

    assert told.returncode == 0
    assert "Asking about the first 20 of 25 texts: no conversation takes more." in told.stderr
    assert "for ever" not in told.stdout
    assert "\x1b" not in told.stdout
