"""`research admin` against a running stack: what each command says, refuses and asks."""

import json
import os
import pty
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest
import typer
from typer.testing import CliRunner

from infra.cli import app
from infra.client.rest import Api, ApiError
from infra.commands.admin import groups, targets
from infra.commands.dev import banner
from infra.local.http_server import HttpServer, Reply
from tests.stack.admin_command import TEXTS, World, admin, document, world
from tests.stack.research_command import COMMAND, ROOT, SAMPLE, Dev, dev, environment, research

NOBODY = "00000000-0000-4000-8000-000000000000"
MEMBER = {"workspace_id", "principal_id", "role", "capabilities", "projects"}
LIMITS = {"workspace_id", "daily_runs", "daily_tokens"}
TOKEN = {"digest", "label", "expires_at", "revoked_at"}

COMMANDS: dict[str, set[str]] = {
    "workspace create Bolt": {"workspace_id", "name"},
    "workspace list": {"workspaces"},
    "workspace show {w}": LIMITS | {"name", "members", "projects"},
    "project create {w} Lamps": {"workspace_id", "project_id", "name"},
    "project list {w}": {"projects"},
    "project delete {w} {p} --yes": {"workspace_id", "project_id", "deleted", "evidence_erased"},
    "member add {w} --role viewer --capability agent:sources --capability agent:research --project {p}": MEMBER,
    "member list {w}": {"members"},
    "member role {w} {m} owner": MEMBER,
    "member capabilities {w} {m} agent:sources": MEMBER,
    "member projects {w} {m} {p}": MEMBER,
    "member remove {w} {m} --yes": {"workspace_id", "principal_id", "removed"},
    "token issue {m} --label laptop --days 2": TOKEN | {"principal_id", "token"},
    "token list {m}": {"tokens"},
    "token revoke {m} {d} --yes": TOKEN | {"principal_id"},
    "budget show {w} --day 2026-11-30": LIMITS | {"day", "runs", "tokens"},
    "budget set {w} --runs 5 --tokens 7000": LIMITS,
    f"sources import {{w}} {{p}} {SAMPLE}": {
        "imported", "project_revision", "corpus_snapshot_id", "new", "changed", "unchanged", "withdrawn", "invalid",
        "faults",
    },
    "sources withdraw {w} {p} {e} --yes": {"workspace_id", "project_id", "withdrawn"},
    "provider status": {"configured", "model"},
    "retention": {
        "checked_at", "items", "said", "awaiting_sweep", "overdue", "unbounded", "withdrawn_texts", "unknown",
        "time_to_live", "point_in_time_recovery", "stream", "holds",
    },
}  # fmt: skip
"""Every command, with the members of the document it prints."""

DESTRUCTIVE = {
    "project delete {w} {p}": "Project {p} (Fans) will be closed for good and its evidence erased;",
    "member remove {w} {m}": "Member {m} (editor) will lose workspace {w} from the next call on;",
    "token revoke {m} {d}": "(first) of {m} will open nothing from the next call on, for good.",
    "sources withdraw {w} {p} {e}": "1 of the evidence of project {p} will be withdrawn for good: {e}.",
}


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dev]:
    with dev(tmp_path_factory.mktemp("empty"), "--json", "--empty") as running:
        yield running


@pytest.fixture
def acme(empty: Dev, monkeypatch: pytest.MonkeyPatch) -> World:
    return world(empty.announced, monkeypatch)


def state(acme: World) -> list[Any]:
    """Everything in the world that a command could destroy."""
    return [
        document("project", "list", acme.workspace),
        document("member", "list", acme.workspace),
        document("token", "list", acme.member),
        document("sources", "import", acme.workspace, acme.project, "-", sent=evidence(*TEXTS))["unchanged"],
    ]


def evidence(*texts: str) -> bytes:
    return "\n".join(json.dumps({"id": f"e{number}", "text": text}) for number, text in enumerate(texts)).encode()


def test_every_command_is_tried_below() -> None:
    groups_of = typer.main.get_command(groups.app).commands  # type: ignore[attr-defined]
    every = {
        f"{group} {name}".strip() for group, command in groups_of.items() for name in getattr(command, "commands", [""])
    }

    assert every == {" ".join(line.split()[:2]) for line in COMMANDS}
    assert set(DESTRUCTIVE) == {line.removesuffix(" --yes") for line in COMMANDS if line.endswith(" --yes")}


@pytest.mark.parametrize("line", COMMANDS)
def test_each_command_prints_one_json_document_where_it_is_asked_to(acme: World, line: str) -> None:
    assert set(document(*acme.fill(line))) == COMMANDS[line]


@pytest.mark.parametrize("line", COMMANDS)
def test_each_command_prints_plain_lines_for_a_person(acme: World, line: str) -> None:
    told = admin(*acme.fill(line))

    assert (told.exit_code, told.stdout.startswith("{")) == (0, False), told.stderr
    assert told.stdout.replace("\n", "").isprintable()
    assert told.stderr == ("Keep the token now: it is shown this once.\n" if line.startswith("token issue") else "")


@pytest.mark.parametrize("line", ["--local workspace show {w}", "workspace show {w} --local"])
def test_the_running_stack_may_be_named_as_the_local_one(acme: World, line: str) -> None:
    assert document(*acme.fill(line))["name"] == "Acme 東京"


def test_a_stack_is_local_or_deployed_and_not_both(acme: World) -> None:
    refused = admin(*acme.fill("workspace show {w} --local --stack production"))

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "give one of them" in refused.stderr


@pytest.mark.parametrize("line", DESTRUCTIVE)
def test_what_destroys_says_so_and_does_nothing_without_yes_where_nobody_can_be_asked(acme: World, line: str) -> None:
    before = state(acme)

    refused = admin(*acme.fill(line), sent=b"y\n")

    assert (refused.exit_code, refused.stdout) == (1, "")
    (said,) = refused.stderr.splitlines()
    assert " ".join(acme.fill(DESTRUCTIVE[line])) in said
    assert said.endswith(" Nothing was done: repeat it with --yes to do it.")
    assert state(acme) == before


@pytest.mark.parametrize(("answer", "code", "left"), [("y", 0, 0), ("N", 1, 1), ("", 1, 1)])
def test_what_destroys_asks_at_a_terminal(acme: World, empty: Dev, answer: str, code: int, left: int) -> None:
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        (*COMMAND, "admin", "member", "remove", acme.workspace, acme.member, "--json"),
        cwd=ROOT,
        env=environment(empty.directory, TERM="xterm"),
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=terminal,
    )
    os.close(terminal)
    shown = b""
    while not shown.endswith(b"[y/N] "):
        shown += os.read(controller, 65536)
    os.write(controller, f"{answer}\n".encode())
    printed, _ = process.communicate(timeout=30)
    os.close(controller)

    assert f"Member {acme.member} (editor) will lose workspace" in shown.decode()
    assert (process.returncode, bool(printed)) == (code, not left)
    assert len(document("member", "list", acme.workspace)["members"]) == left


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("workspace show 1", "An id is a hyphenated UUID, such as "),
        ("workspace show 00000000000040008000000000000000", "An id is a hyphenated UUID, such as "),
        ("project list nowhere", "An id is a hyphenated UUID, such as "),
        ("member add {w} --role owner --principal me", "An id is a hyphenated UUID, such as "),
        ("member add {w} --role owner --project {p} --project p", "An id is a hyphenated UUID, such as "),
        ("member add {w} --role king", "A role is one of: owner, editor, viewer."),
        ("member add {w} --role owner --capability root", "A capability is one of: agent:research, agent:sources."),
        ("member capabilities {w} {m}", "Name the capabilities that the member shall have, or give --none."),
        ("member capabilities {w} {m} agent:sources --none", "Name the capabilities that the member shall have"),
        ("member projects {w} {m} --all --none", "Name the projects that shall be open to the member, or give"),
        ("token issue {m} --days 0", "--days is a whole number from 1 to 366."),
        ("token issue {m} --days x", "--days is a whole number from 1 to 366."),
        ("token revoke {m} rtk_Zebrafink", "A digest is hexadecimal, never the token itself: "),
        ("budget show {w} --day today", "A day is written as 2026-11-30."),
        ("budget set {w}", "Give --runs, --tokens, or both."),
        ("budget set {w} --runs -1", "A limit is a whole number, or the word default for the deployment's own."),
        ("sources withdraw {w} {p} {e} e2", "An id is a hyphenated UUID, such as "),
        ("sources import {w} {p} - --format xml", "--format is one of: jsonl, csv."),
    ],
)
def test_what_cannot_be_meant_is_said_in_one_line_and_ends_in_1(acme: World, line: str, said: str) -> None:
    refused = admin(*acme.fill(line))

    assert (refused.exit_code, refused.stdout, len(refused.stderr.splitlines())) == (1, "", 1)
    assert refused.stderr.startswith(said)
    assert "Zebrafink" not in refused.stderr


@pytest.mark.parametrize("name", ["", " ", "x" * 201, "two\nlines", "\x1b[31m"])
def test_a_name_is_printable_text_of_some_length(acme: World, name: str) -> None:
    refused = admin("project", "create", acme.workspace, name)

    assert (refused.exit_code, refused.stderr) == (1, "A name or label is 1 to 200 printable characters.\n")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"workspace show {NOBODY}", f"There is no workspace {NOBODY} here: `research admin workspace list` shows"),
        (f"project create {NOBODY} Lamps", f"There is no workspace {NOBODY} here"),
        (f"project list {NOBODY}", f"There is no workspace {NOBODY} here"),
        (f"project delete {{w}} {NOBODY}", f"There is no project {NOBODY} here"),
        (f"member add {NOBODY} --role owner", f"There is no workspace {NOBODY} here"),
        (f"member add {{w}} --role owner --project {NOBODY}", f"There is no project {NOBODY} here"),
        ("member add {w} --role owner --principal {m}", "{m} is a member already: change its role, capabilities or"),
        (f"member list {NOBODY}", f"There is no workspace {NOBODY} here"),
        (f"member role {{w}} {NOBODY} owner", f"There is no member {NOBODY} here"),
        (f"member projects {{w}} {{m}} {NOBODY}", f"There is no project {NOBODY} here"),
        (f"member remove {{w}} {NOBODY} --yes", f"There is no member {NOBODY} here"),
        (f"token issue {NOBODY}", f"No workspace has a member {NOBODY}. `research admin member add` makes one."),
        (f"token list {NOBODY}", f"{NOBODY} is no member of any workspace and has no token: check the id."),
        ("token revoke {m} 0000000000", "0 of this principal's tokens have a digest that begins so; one is wanted."),
        (f"budget show {NOBODY}", f"There is no workspace {NOBODY} here"),
        (f"budget set {NOBODY} --runs 1", f"There is no workspace {NOBODY} here"),
        (f"sources import {{w}} {NOBODY} -", f"There is no project {NOBODY} here"),
        (f"sources withdraw {{w}} {{p}} {{e}} {NOBODY} --yes", f"The project has no evidence {NOBODY}: check the ids."),
    ],
)
def test_what_is_not_there_is_said_to_be_unknown(acme: World, line: str, said: str) -> None:
    before = state(acme)

    refused = admin(*acme.fill(line))

    assert (refused.exit_code, refused.stdout, len(refused.stderr.splitlines())) == (1, "", 1)
    assert refused.stderr.startswith(" ".join(acme.fill(said)))
    assert state(acme) == before


def test_a_token_is_shown_once_opens_the_api_and_stops_doing_so_when_it_is_revoked(acme: World, empty: Dev) -> None:
    issued = document("token", "issue", acme.member, "--label", "laptop")

    listed = document("token", "list", acme.member)["tokens"]
    assert {token["label"]: token["digest"] for token in listed}["laptop"] == issued["digest"]
    assert issued["token"] not in admin("token", "list", acme.member).stdout
    with Api(json.loads(empty.line)["rest_url"], issued["token"]) as api:
        opened = api.call("projects_list", workspace_id=acme.workspace)["projects"]
        assert [project["id"] for project in opened] == [acme.project]
        admin("token", "revoke", acme.member, issued["digest"][:12], "--yes")
        with pytest.raises(ApiError, match="unauthenticated"):
            api.call("projects_list", workspace_id=acme.workspace)


def test_limits_are_kept_apart_and_go_back_to_the_deployments(acme: World) -> None:
    document("budget", "set", acme.workspace, "--runs", "5")
    document("budget", "set", acme.workspace, "--tokens", "0")

    assert document("budget", "set", acme.workspace, "--runs", "default") == {
        "workspace_id": acme.workspace,
        "daily_runs": None,
        "daily_tokens": 0,
    }


def test_ids_are_taken_in_either_case_and_printed_in_lower(acme: World) -> None:
    shown = document("workspace", "show", acme.workspace.upper())

    assert (shown["workspace_id"], shown["name"], shown["members"], shown["projects"]) == (
        acme.workspace,
        "Acme 東京",
        1,
        1,
    )


def test_an_empty_stack_prints_the_same_members_with_null_for_what_was_not_made(empty: Dev, stack: Dev) -> None:
    line = json.loads(empty.line)

    assert list(line) == list(json.loads(stack.line))
    nothing = {"token", "workspace_id", "project_id", "project_revision", "corpus_snapshot_id", "evidence"}
    assert {name for name, content in line.items() if content is None} == nothing
    assert "\nBegin      " in banner(line, "stand-in")
    assert "admin workspace create NAME\nStop       Ctrl-C" in banner(line, "stand-in")


def test_an_empty_stack_cannot_be_asked_and_that_is_said(empty: Dev) -> None:
    told = research(empty.directory, "ask", "How long does the battery last?")

    assert told.returncode == 0
    assert told.stderr.startswith(f"The stack of {empty.announced} was started empty, so there is nothing here to ask")


def test_an_empty_stack_takes_no_evidence() -> None:
    refused = CliRunner().invoke(app, ["dev", "--empty", "--evidence", str(SAMPLE)])

    assert (refused.exit_code, refused.stderr) == (1, "--empty imports nothing; leave out --evidence.\n")


def test_the_workspace_that_a_local_stack_begins_with_is_listed_too(
    stack: Dev, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets, "RUNNING", stack.announced)

    seeded = {"workspace_id": stack.facts.workspace_id, "name": "Local workspace"}
    assert seeded in document("workspace", "list")["workspaces"]


@pytest.mark.parametrize(("model", "said"), [("gemini-x", (True, "gemini-x")), (None, (False, None))])
def test_the_model_of_a_local_stack_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str | None, said: tuple[bool, str | None]
) -> None:
    (tmp_path / "dev.json").write_text(json.dumps({"aws_endpoint_url": "http://x", "table": "t", "model": model}))
    monkeypatch.setattr(targets, "RUNNING", tmp_path / "dev.json")

    status = document("provider", "status")

    assert (status["configured"], status["model"]) == said


@pytest.mark.parametrize("content", [None, "", "{}", "null", "[]"])
def test_without_a_running_stack_every_command_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None
) -> None:
    monkeypatch.setattr(targets, "RUNNING", tmp_path / "dev.json")
    if content is not None:
        (tmp_path / "dev.json").write_text(content)

    refused = admin("workspace", "list")

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == "No `research dev` is running. Start one, or name a deployed stack with --stack.\n"


def test_a_local_stack_that_has_died_is_said_not_to_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "RUNNING", tmp_path / "dev.json")
    dead = {"aws_endpoint_url": "http://127.0.0.1:9", "table": "cited-research", "model": None}
    (tmp_path / "dev.json").write_text(json.dumps(dead))

    refused = admin("workspace", "list")

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == "The stack does not answer. If it is `research dev`, it has ended: start it again.\n"


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Reply]]:
    """An AWS account whose CloudFormation gives these replies, in their order."""
    replies: list[Reply] = []
    server = HttpServer(lambda _request: replies.pop(0))
    server.start()
    for name in ("AWS_PROFILE", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    for name, content in {
        "AWS_ENDPOINT_URL_CLOUDFORMATION": server.url,
        "AWS_ACCESS_KEY_ID": "x",
        "AWS_SECRET_ACCESS_KEY": "x",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    }.items():
        monkeypatch.setenv(name, content)
    yield replies
    server.stop()


def described(**outputs: str) -> Reply:
    members = "".join(
        f"<member><OutputKey>{name}</OutputKey><OutputValue>{escape(content)}</OutputValue></member>"
        for name, content in outputs.items()
    )
    stack = f"<StackName>research</StackName><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>{members}</Outputs>"
    body = (
        '<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult>'
        f"<Stacks><member>{stack}<CreationTime>2026-11-30T00:00:00Z</CreationTime></member></Stacks>"
        "</DescribeStacksResult></DescribeStacksResponse>"
    )
    return Reply(200, (("content-type", "text/xml"),), body.encode())


def test_a_deployed_stack_is_found_by_its_outputs(
    account: list[Reply], acme: World, empty: Dev, monkeypatch: pytest.MonkeyPatch
) -> None:
    local = json.loads(empty.line)
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", local["aws_endpoint_url"])
    arn = "arn:aws:secretsmanager:eu-central-1:000000000000:secret:gemini"
    account += [described(TableName=local["table"], GeminiSecretArn=arn, GeminiModel="gemini-x")] * 2
    account += [described(TableName=local["table"])]

    assert document("project", "list", acme.workspace, "--stack", "research")["projects"][0]["name"] == "Fans"
    assert document("provider", "status", "--stack", "research") == {"configured": True, "model": "gemini-x"}
    assert document("provider", "status", "--stack", "research") == {"configured": False, "model": None}
    assert account == []


def test_a_deployed_stack_of_something_else_is_refused(account: list[Reply]) -> None:
    account.append(described(BucketName="pictures"))

    refused = admin("workspace", "list", "--stack", "pictures")

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == "Stack pictures has no output TableName: it is not one of this project.\n"


def test_a_deployed_stack_that_cannot_be_reached_or_read_is_said_to_be_so(
    account: list[Reply], monkeypatch: pytest.MonkeyPatch
) -> None:
    error = b"<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code></Error></ErrorResponse>"
    account.append(Reply(400, (("content-type", "text/xml"),), error))

    unknown = admin("workspace", "list", "--stack", "nowhere")
    monkeypatch.setenv("AWS_ENDPOINT_URL_CLOUDFORMATION", "http://127.0.0.1:9")
    unreached = admin("workspace", "list", "--stack", "nowhere")
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    homeless = admin("workspace", "list", "--stack", "nowhere")

    for refused, code in (
        (unknown, "ValidationError"),
        (unreached, "EndpointConnectionError"),
        (homeless, "NoRegionError"),
    ):
        assert (refused.exit_code, refused.stdout) == (1, "")
        assert refused.stderr == (
            f"Stack nowhere cannot be read ({code}). Check its name, AWS_REGION and your AWS credentials.\n"
        )


def test_what_aws_refuses_is_said_with_its_code(
    account: list[Reply], empty: Dev, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", json.loads(empty.line)["aws_endpoint_url"])
    account.append(described(TableName="gone"))

    refused = admin("workspace", "list", "--stack", "research")

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == (
        "AWS refused Query (ResourceNotFoundException). Check your credentials and what they allow.\n"
    )
