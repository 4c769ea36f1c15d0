"""Every write of the store on a bad day: put off, unanswered, sent again, overtaken. The table tells the outcome."""

from collections.abc import Iterator
from datetime import datetime
from types import SimpleNamespace
from typing import Any

import boto3
import pytest

from infra.local import resources
from infra.local.aws import LocalAws
from infra.local.aws_faults import (
    CONFLICT,
    IN_PROGRESS,
    SERVER_ERROR,
    THROTTLED,
    THROUGHPUT_EXCEEDED,
    WRITE_CONFLICT,
    Call,
    Cancel,
    Fault,
    LeaveUnprocessed,
    LoseReply,
    always,
    in_turn,
)
from research.operations.ports import Busy, Lost
from research.words import ids, records
from research.words.records import Ref, Workspace
from tests.faults.one_day import BUDGET_REF, NOW, RUN, RUN_REF
from tests.faults.verbs import VERBS, Entries
from tests.faults.watched_table import Table

PASSING: dict[str, tuple[Fault, ...]] = {
    "TransactWriteItems": (
        CONFLICT,
        Cancel(("None", "ThrottlingError")),
        Cancel(("ProvisionedThroughputExceeded",)),
        IN_PROGRESS,
        THROTTLED,
        SERVER_ERROR,
    ),
    "PutItem": (WRITE_CONFLICT, THROTTLED, THROUGHPUT_EXCEEDED),
    "UpdateItem": (WRITE_CONFLICT, THROTTLED, THROUGHPUT_EXCEEDED),
    "DeleteItem": (WRITE_CONFLICT, THROTTLED, THROUGHPUT_EXCEEDED),
    "BatchWriteItem": (WRITE_CONFLICT, THROTTLED, LeaveUnprocessed(1), LeaveUnprocessed(25)),
}
ONE_OF_EACH = {
    "TransactWriteItems": "accept",
    "PutItem": "advance",
    "UpdateItem": "laid_to_rest",
    "DeleteItem": "forget",
    "BatchWriteItem": "keep",
}
"""A verb for each of the calls that verbs are made of."""


@pytest.fixture(scope="module")
def name_of_table(aws: LocalAws) -> str:
    name = f"faults-{ids.new()}"
    resources.create_table(boto3.client("dynamodb", endpoint_url=aws.endpoint_url), name)
    return name


@pytest.fixture
def table(aws: LocalAws, name_of_table: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A table whose client and stores wait for nothing, and which no transaction ever reused a token for."""
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _seconds: None))
    table = Table(aws, name_of_table)
    yield table
    assert "IdempotentParameterMismatchException" not in table.codes


@pytest.mark.parametrize(
    ("name", "fault"), [(ONE_OF_EACH[action], fault) for action, faults in PASSING.items() for fault in faults]
)
def test_each_way_to_be_put_off_is_waited_out_for_longer_than_botocore_tries(
    table: Table, name: str, fault: Fault
) -> None:
    verb = VERBS[name]
    after = table.outcome(name)

    with table.aws.faults(in_turn(verb.action, *[fault] * 4)):
        verb.act(table.stores)

    assert table.holds() == after


@pytest.mark.parametrize("name", VERBS)
def test_a_write_that_is_put_off_for_a_while_is_made_once_and_in_full(table: Table, name: str) -> None:
    verb = VERBS[name]
    after = table.outcome(name)

    with table.aws.faults(in_turn(verb.action, *PASSING[verb.action])):
        verb.act(table.stores)

    assert table.holds() == after


@pytest.mark.parametrize("name", VERBS)
def test_a_write_whose_replies_were_lost_is_known_again_and_made_once(table: Table, name: str) -> None:
    verb = VERBS[name]
    after = table.outcome(name)

    with table.aws.faults(in_turn(verb.action, LoseReply(), *[LoseReply(status=500)] * 3, LoseReply())):
        verb.act(table.stores)

    assert table.holds() == after


RESUMED = ("stage", "withdraw")
"""Whose condition may still hold, and which of its three writes was the last its caller finds by reading again."""


@pytest.mark.parametrize("name", [name for name in VERBS if name not in RESUMED])
def test_a_write_that_is_sent_again_under_another_token_knows_itself(table: Table, name: str) -> None:
    after = table.outcome(name)

    VERBS[name].act(table.stores)
    VERBS[name].act(table.stores)

    assert table.holds() == after


@pytest.mark.parametrize("name", VERBS)
def test_a_write_that_is_put_off_for_good_is_given_up_as_busy_and_leaves_nothing(table: Table, name: str) -> None:
    verb = VERBS[name]
    table.prepare(name)
    before = table.holds()

    with table.aws.faults(always(verb.action, PASSING[verb.action][0])), pytest.raises(Busy):
        verb.act(table.stores)

    assert table.holds() == before
    assert len(table.pauses) == 7
    assert all(0 <= pause <= min(1.0, 0.04 * 2**place) for place, pause in enumerate(table.pauses))


@pytest.mark.parametrize(
    ("name", "rival"),
    [
        pytest.param(name, rival, id=f"{name} {place}")
        for name, v in VERBS.items()
        for place, rival in enumerate(v.rivals)
    ],
)
def test_a_write_that_somebody_got_ahead_of_is_lost_and_changes_nothing(
    table: Table, name: str, rival: tuple[Ref[Any], Any]
) -> None:
    table.prepare(name, rival)
    before = table.holds()

    with pytest.raises(Lost):
        VERBS[name].act(table.stores)

    assert table.holds() == before
    assert table.pauses == []


@pytest.mark.parametrize("name", [name for name, verb in VERBS.items() if verb.action == "TransactWriteItems"])
def test_a_lost_condition_beside_a_conflict_is_decided_anew_and_not_waited_for(table: Table, name: str) -> None:
    table.prepare(name)

    mixed = Cancel(("ConditionalCheckFailed", "TransactionConflict"))
    with table.aws.faults(in_turn("TransactWriteItems", mixed)), pytest.raises(Lost):
        VERBS[name].act(table.stores)

    assert table.pauses == []


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, verb in VERBS.items()
        if verb.before and verb.action not in ("BatchWriteItem", "DeleteItem") and name != "cancel, ended before"
    ],
)
def test_a_write_to_what_was_deleted_meanwhile_makes_no_ghost_of_it(table: Table, name: str) -> None:
    table.erase()

    with pytest.raises(Lost):
        VERBS[name].act(table.stores)

    assert table.holds() == []


def test_tokens_are_added_once_to_the_day_whatever_becomes_of_the_replies(table: Table) -> None:
    table.prepare("settle")

    with table.aws.faults(in_turn("TransactWriteItems", CONFLICT, LoseReply(), IN_PROGRESS, LoseReply(status=500))):
        VERBS["settle"].act(table.stores)

    budget = table.stores.conversations.fetch(BUDGET_REF)[BUDGET_REF]
    assert budget is not None
    assert budget.tokens == 75


def test_keys_that_a_read_leaves_out_are_asked_for_again_and_consistently(table: Table) -> None:
    entries: Entries = [(records.workspace(str(number)), Workspace(name=str(number))) for number in range(130)]
    table.stores.evidence.keep(entries)
    asked: list[Call] = []
    faults = in_turn("BatchGetItem", LeaveUnprocessed(2), THROTTLED, LeaveUnprocessed(100), LeaveUnprocessed(1))

    def watched(call: Call) -> Fault | None:
        asked.append(call)
        return faults(call)

    with table.aws.faults(watched):
        found = table.stores.conversations.fetch(*(ref for ref, _ in entries), entries[0][0], records.workspace("none"))

    assert dict(found) == dict(entries)
    assert len(asked) == 6
    assert all(call.body["RequestItems"][table.name]["ConsistentRead"] for call in asked)


def due(table: Table, now: datetime) -> list[Ref[Any]]:
    return [ref for page in table.stores.conversations.due(now, 1) for ref in page]


def test_a_read_that_is_throttled_for_good_is_given_up_as_busy(table: Table) -> None:
    with table.aws.faults(always("BatchGetItem", THROTTLED)), pytest.raises(Busy):
        table.stores.conversations.fetch(RUN_REF)
    with table.aws.faults(always("Query", THROTTLED)), pytest.raises(Busy):
        due(table, NOW)


def test_due_work_is_found_though_the_index_is_throttled_for_a_moment(table: Table) -> None:
    table.prepare("advance")

    with table.aws.faults(in_turn("Query", *[THROTTLED] * 4)):
        assert due(table, NOW) == []
        assert due(table, RUN.due_at or NOW) == [RUN_REF]
