"""`research dev`: what it prints, which model it uses, and how it ends."""

import http.client
import json
import shlex
import signal
import socket
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from infra import evidence_files
from infra.cli import app
from infra.client.asking import Ask, ask
from infra.client.rest import Api, ApiError
from infra.commands import stacks
from infra.commands.dev import banner
from infra.local.stand_in import StandIn
from research.words import ids
from tests.edges.hostile_provider import HostileProvider
from tests.stack.research_command import SAMPLE, Dev, dev, research

QUESTION = Ask("How long does the battery last?", "question", "en")


def asked(running: Dev) -> dict[str, Any]:
    """The run of a question to this stack, once it has ended."""
    with Api(running.facts.rest_url, running.facts.token) as api:
        run: dict[str, Any] = ask(api, running.facts, QUESTION, lambda _state: None).status["run"]
    return run


def post(url: str, headers: dict[str, str], body: str) -> tuple[int, Any]:
    address, _, path = url.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(address, timeout=10)
    connection.request("POST", f"/{path}", body, headers)
    response = connection.getresponse()
    answer = response.status, json.loads(response.read())
    connection.close()
    return answer


def port(running: Dev) -> int:
    return int(running.facts.rest_url.rpartition(":")[2])


def test_the_json_line_has_the_documented_members_and_the_evidence_in_the_files_order(stack: Dev) -> None:
    line = json.loads(stack.line)

    assert list(line) == [
        "rest_url",
        "mcp_url",
        "aws_endpoint_url",
        "table",
        "token",
        "workspace_id",
        "project_id",
        "project_revision",
        "corpus_snapshot_id",
        "evidence",
    ]
    assert line["mcp_url"] == f"{line['rest_url']}/mcp"
    names = [str(source.id) for source in evidence_files.read(SAMPLE)]
    assert line["evidence"] == [
        {"evidence_id": ids.evidence_id(line["project_id"], name), "revision": 1} for name in names
    ]


def test_the_line_is_left_with_the_model_for_this_user_alone(stack: Dev) -> None:
    assert json.loads(stack.announced.read_text()) == {**json.loads(stack.line), "model": "stand-in"}
    assert stat.S_IMODE(stack.announced.stat().st_mode) == 0o600


def test_each_call_is_one_line_of_time_request_id_operation_code_and_milliseconds(stack: Dev) -> None:
    headers = {"content-type": "application/json", "authorization": f"Bearer {stack.facts.token}"}
    _, problem = post(f"{stack.facts.rest_url}/research-api/conversations/get", headers, "{}")
    _, unrouted = post(f"{stack.facts.rest_url}/nowhere", headers, "{}")

    lines = {line.split()[1]: line.split() for line in stack.stderr.splitlines()}
    time, _, *rest, milliseconds, unit = lines[problem["request_id"]]
    assert len(time) == len("12:00:00.000")
    assert rest == ["conversations_get", "invalid_request"]
    assert (float(milliseconds) >= 0, unit) == (True, "ms")
    assert lines[unrouted["request_id"]][2:4] == ["unrouted", "route_not_found"]


def test_the_banner_is_a_table_of_addresses_and_ids_and_a_curl_that_works(stack: Dev) -> None:
    facts = json.loads(stack.line)

    table, _, by_hand = banner(facts, "stand-in").partition("\n\n")

    rows = dict(line.split(maxsplit=1) for line in table.splitlines())
    assert "research ask '" in rows.pop("Ask")
    assert rows == {
        "REST": facts["rest_url"],
        "MCP": facts["mcp_url"],
        "AWS": f"{facts['aws_endpoint_url']} (table {facts['table']})",
        "Model": "stand-in",
        "Token": facts["token"],
        "Workspace": facts["workspace_id"],
        "Project": f"{facts['project_id']} at revision 1",
        "Snapshot": facts["corpus_snapshot_id"],
        "Evidence": "13 texts",
        "Stop": "Ctrl-C",
    }
    _, url, *options = shlex.split(by_hand.partition("curl ")[2].replace("\\\n", " "))
    headers = dict(option.split(": ") for option in options[1:4:2])
    status, created = post(url, headers, options[-1])
    assert (status, len(created["conversation"]["context"]["evidence"])) == (200, 3)


def test_the_environment_names_the_model_and_the_banner_says_which(tmp_path: Path) -> None:
    with StandIn() as model:
        variables = {"GEMINI_API_KEY": "a-key", "GEMINI_MODEL": "gemini-x", "GEMINI_BASE_URL": model.base_url}
        with dev(tmp_path, **variables) as running:
            run = asked(running)
            code, rest = running.stop(signal.SIGINT)

    printed = running.line + rest
    assert (code, run["status"], run["model_id"]) == (0, "completed", "gemini-x")
    assert printed.startswith("REST       http://127.0.0.1:")
    assert f"\nModel      gemini-x at {model.base_url}\n" in printed
    assert printed.replace("\n", "").isprintable()


def test_unconfigured_wins_over_the_environment_and_refuses_every_request(tmp_path: Path) -> None:
    with dev(tmp_path, "--json", "--unconfigured", GEMINI_API_KEY="a-key") as running:
        run = asked(running)
        told = research(tmp_path, "ask", "How long does the battery last?")

    assert (run["status"], run["failure_code"]) == ("unavailable", "not_configured")
    assert (told.returncode, told.stderr) == (1, "run unavailable\n")
    assert told.stdout.startswith("No answer: the run is unavailable (not_configured).")


def test_a_second_instance_on_a_busy_port_says_so_and_leaves_the_first_alone(stack: Dev) -> None:
    second = research(stack.directory, "dev", "--port", str(port(stack)), "--json")

    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr.startswith(f"Port {port(stack)} is busy: ")
    assert stack.announced.exists()
    assert stack.process.poll() is None


def test_it_stops_within_two_seconds_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with dev(tmp_path, "--json") as running:
        listening = port(running)
        code, rest = running.stop(signal.SIGTERM)

        assert (code, rest, running.stderr) == (0, "", "")
        assert not running.announced.exists()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", listening), timeout=1)


def test_it_stops_within_two_seconds_while_an_answer_is_being_generated(tmp_path: Path) -> None:
    began = threading.Event()

    def hang(connection: socket.socket) -> None:
        began.set()
        connection.recv(1)

    with HostileProvider((hang,)) as provider:
        variables = {"GEMINI_API_KEY": "a-key", "GEMINI_BASE_URL": provider.base_url}
        with dev(tmp_path, "--json", **variables) as running:
            asking = threading.Thread(target=pytest.raises, args=(ApiError, asked, running))
            asking.start()
            assert began.wait(30)

            assert running.stop(signal.SIGINT) == (0, "")
            asking.join()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--evidence", "nothing.jsonl"], "nothing.jsonl: No such file or directory.\n"),
        (["--evidence", "/"], "/: Is a directory.\n"),
        (["--evidence", "/dev/null"], "/dev/null: not imported\nno evidence in it\n"),
    ],
)
def test_evidence_that_cannot_be_read_is_said_in_a_line_and_ends_in_1(arguments: list[str], said: str) -> None:
    refused = CliRunner().invoke(app, ["dev", *arguments])

    assert (refused.exit_code, refused.stdout, refused.stderr) == (1, "", said)


def test_bad_rows_are_listed_by_line_and_never_quoted(tmp_path: Path) -> None:
    evidence = tmp_path / "bad.jsonl"
    evidence.write_text('{"text": "Good."}\n{"text": "Zebrafink", "stars": 5}\nZebrafink\n')

    refused = CliRunner().invoke(app, ["dev", "--evidence", str(evidence)])

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.splitlines()[1:] == [
        "line 2: stars: This field is unknown.",
        "line 3: not one JSON object on one line",
    ]


def test_a_line_that_a_later_stack_left_is_not_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stacks, "RUNNING", tmp_path / "dev.json")
    with stacks.announced("first"):
        with stacks.announced("second"):
            assert stacks.RUNNING.read_text() == "second"
        assert not stacks.RUNNING.exists()
        stacks.RUNNING.write_text("third")

    assert stacks.RUNNING.read_text() == "third"
