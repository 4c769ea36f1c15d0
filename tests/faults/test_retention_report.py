"""`research admin retention`: what its scan finds in a running service's table, and what it says of other tables."""

import json
from datetime import timedelta
from typing import Any

import pytest
from harness.service import Service
from typer.testing import CliRunner

from infra import retention
from infra.cli import app
from infra.commands.admin import retention as command
from infra.commands.admin.targets import Target
from research.words import records


def found(service: Service) -> retention.Retention:
    return retention.report(retention.scan(service.dynamodb, service.environment["TABLE_NAME"]), service.time.now)


def put(service: Service, partition: str, sort: str, **numbers: int) -> None:
    item: dict[str, Any] = {name: {"N": str(number)} for name, number in numbers.items()}
    item |= {"pk": {"S": partition}, "sk": {"S": sort}}
    service.dynamodb.put_item(TableName=service.environment["TABLE_NAME"], Item=item)


def test_what_was_said_today_is_counted_and_within_its_time(service: Service) -> None:
    service.asked()
    service.deliver()

    report = found(service)

    assert (report.said, report.awaiting_sweep, report.holds) == (5, 0, True)
    assert report.items == len(service.items())


def test_after_a_day_it_waits_for_the_sweep_and_is_overdue_only_if_that_does_not_come(service: Service) -> None:
    service.asked()
    service.deliver()

    service.time.pass_(hours=24)
    late = found(service)
    service.time.pass_(minutes=3)
    overdue = found(service)
    service.sweep()
    swept = found(service)

    assert (late.awaiting_sweep, late.overdue, late.holds) == (5, 0, True)
    assert (overdue.awaiting_sweep, overdue.overdue, overdue.holds) == (5, 5, False)
    assert (swept.said, swept.overdue, swept.holds) == (0, 0, True)


@pytest.mark.parametrize("sort", ["TITLE", "MSG#r#Q", "MSG#r#A"])
def test_content_that_would_outlive_its_day_or_never_end_is_found(service: Service, sort: str) -> None:
    in_a_day = int((service.time.now + timedelta(hours=24)).timestamp())

    put(service, "CONVERSATION#c", sort, ttl=in_a_day)
    assert found(service).holds
    put(service, "CONVERSATION#c", sort, ttl=in_a_day + 2)
    assert found(service).unbounded == 1
    put(service, "CONVERSATION#c", sort)
    assert found(service).unbounded == 1


def test_a_mutation_may_be_remembered_for_as_long_as_the_conversation_that_it_met(service: Service) -> None:
    conversation = service.create().body["conversation"]
    service.time.pass_(hours=24)
    service.sweep()

    service.request(conversation)

    assert (found(service).said, found(service).holds) == (1, True)


def test_a_text_that_outlived_its_withdrawal_is_found_once_nobody_can_still_be_erasing_it(service: Service) -> None:
    name = service.published.evidence[0].evidence_id
    ref = records.evidence(service.workspace_id, service.project_id, name)
    head = service.store.fetch(ref)[ref]
    assert head is not None
    service.put(ref, head.withdrawn(service.time.now))

    assert found(service).holds
    service.time.pass_(minutes=8)
    assert found(service).withdrawn_texts == 1
    service.sweep()
    assert (found(service).withdrawn_texts, found(service).holds) == (0, True)


def test_a_key_that_is_none_of_ours_is_reported(service: Service) -> None:
    put(service, "CONVERSATION#c", "DRAFT")

    assert (found(service).unknown, found(service).holds) == (1, False)


@pytest.mark.parametrize("recovery", [False, True])
def test_the_command_fails_where_erased_content_would_be_kept_elsewhere(
    service: Service, monkeypatch: pytest.MonkeyPatch, *, recovery: bool
) -> None:
    table = service.environment["TABLE_NAME"]
    service.dynamodb.update_continuous_backups(
        TableName=table, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": recovery}
    )
    monkeypatch.setattr(command, "target", lambda _: Target(service.dynamodb, table, configured=True, model=None))

    told = CliRunner().invoke(app, ["admin", "retention", "--json"])

    document = json.loads(told.stdout)
    assert (document["point_in_time_recovery"], document["time_to_live"]) == (recovery, True)
    assert (document["holds"], told.exit_code) == (not recovery, int(recovery))


def test_no_content_leaves_the_table_for_the_report(service: Service) -> None:
    service.asked()

    read = list(retention.scan(service.dynamodb, service.environment["TABLE_NAME"]))

    assert {name for item in read for name in item} <= {"pk", "sk", "ttl", "withdrawn_at"}
