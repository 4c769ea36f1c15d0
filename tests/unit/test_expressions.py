"""What the store sends, word for word: no attribute by its own name, no value written out, no blind write."""

import re
from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from infra.local import resources
from infra.local.aws import LocalAws
from research.adapters.store import DynamoEvidenceStore, DynamoStore
from research.operations.ports import Listing
from research.words.records import Evidence
from tests.faults.one_day import BUDGET_REF, ID, NOW
from tests.faults.verbs import CONVERSATION_VERBS, EVIDENCE_VERBS, VERBS, Stores

ACTIONS = {"SET", "REMOVE", "ADD"}
FUNCTIONS = {"attribute_exists", "attribute_not_exists", "if_not_exists", "list_append", "begins_with"}
OPERATORS = {"AND", "OR", "=", "<", "<=", ">", "(", ")", ","}
PLACEHOLDER = re.compile(r"[#:][a-z_]+")
TOKEN = re.compile(r"[#:]?\w+|[<>]=?|\S")
EXPRESSIONS = ("ConditionExpression", "UpdateExpression", "KeyConditionExpression", "FilterExpression")


@pytest.fixture(scope="module")
def sent(aws: LocalAws) -> list[tuple[str, dict[str, Any]]]:
    """Each request of the store's, by the verb that made it, as it was given to botocore."""
    requests: list[tuple[str, dict[str, Any]]] = []
    client = boto3.client("dynamodb", endpoint_url=aws.endpoint_url)
    resources.create_table(client, "expressions")
    stores = Stores(client, "expressions", lambda _seconds: None)
    for name, verb in VERBS.items():
        for item in client.scan(TableName="expressions")["Items"]:
            client.delete_item(TableName="expressions", Key={"pk": item["pk"], "sk": item["sk"]})
        stores.evidence.keep(verb.before)
        note = lambda params, name=name, **_: requests.append((name, params))  # noqa: E731 (botocore wants it by name)
        client.meta.events.register_first("provide-client-params.dynamodb", note)
        verb.act(stores)
        stores.conversations.fetch(BUDGET_REF)
        stores.conversations.due(NOW, 1)
        stores.evidence.page(Listing(Evidence, ("workspace", ID)), "a", 1)
        client.meta.events.unregister("provide-client-params.dynamodb", note)
    return requests


def operations(sent: list[tuple[str, dict[str, Any]]]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Verb, kind and parameters of each request, a transaction's items one by one."""
    for name, params in sent:
        for item in params.get("TransactItems", ()):
            yield from ((name, kind, operation) for kind, operation in item.items())
        if "TransactItems" not in params:
            yield name, "Update" if "UpdateExpression" in params else "other", params


def expressions(operation: dict[str, Any]) -> list[str]:
    return [operation[name] for name in EXPRESSIONS if name in operation]


def test_every_verb_of_the_store_is_seen(sent: list[tuple[str, dict[str, Any]]]) -> None:
    for store, verbs, reads in (
        (DynamoStore, CONVERSATION_VERBS, {"fetch", "page", "due"}),
        (DynamoEvidenceStore, EVIDENCE_VERBS, {"fetch", "page", "erase"}),
    ):
        public = {name for name in vars(store) if not name.startswith("_")}
        assert public == {name.partition(",")[0] for name in verbs} | reads
    assert {name for name, _ in sent} == set(VERBS)


def test_expressions_are_made_of_operators_and_placeholders_alone(sent: list[tuple[str, dict[str, Any]]]) -> None:
    found = [text for _, _, operation in operations(sent) for text in expressions(operation)]
    others = {token for text in found for token in TOKEN.findall(text)} - ACTIONS - FUNCTIONS - OPERATORS

    assert len(found) > 20
    assert [token for token in others if not PLACEHOLDER.fullmatch(token)] == []


def test_every_placeholder_is_given_and_every_one_given_is_used(sent: list[tuple[str, dict[str, Any]]]) -> None:
    for _, _, operation in operations(sent):
        used = set(PLACEHOLDER.findall(" ".join(expressions(operation))))
        given = {*operation.get("ExpressionAttributeNames", ()), *operation.get("ExpressionAttributeValues", ())}

        assert used == given


def test_no_write_is_blind_but_beside_others_whose_conditions_stand_for_it(
    sent: list[tuple[str, dict[str, Any]]],
) -> None:
    for name, params in sent:
        if "TransactItems" in params:
            operations = [operation for item in params["TransactItems"] for operation in item.values()]
            assert any("ConditionExpression" in operation for operation in operations), name
        elif "Item" in params or "UpdateExpression" in params:
            assert "ConditionExpression" in params, name


def test_every_update_but_a_counter_is_of_an_item_that_is_there(sent: list[tuple[str, dict[str, Any]]]) -> None:
    for name, kind, operation in operations(sent):
        if kind == "Update" and not operation["Key"]["pk"]["S"].startswith("BUDGET#"):
            there = r"attribute_exists\(#\w+\)|#revision = :revision"
            assert re.search(there, operation["ConditionExpression"]), name


def test_every_conditional_write_asks_for_what_stood_there(sent: list[tuple[str, dict[str, Any]]]) -> None:
    for _, _, operation in operations(sent):
        if "ConditionExpression" in operation:
            assert operation["ReturnValuesOnConditionCheckFailure"] == "ALL_OLD"


def test_every_read_of_records_is_consistent(sent: list[tuple[str, dict[str, Any]]]) -> None:
    batches = [params["RequestItems"]["expressions"] for _, params in sent if "Keys" in str(params)]
    pages = [params for _, params in sent if "KeyConditionExpression" in params and "IndexName" not in params]

    assert batches
    assert pages
    assert all(read["ConsistentRead"] for read in (*batches, *pages))


def test_every_transaction_carries_a_token_of_its_own(sent: list[tuple[str, dict[str, Any]]]) -> None:
    tokens = [params["ClientRequestToken"] for _, params in sent if "TransactItems" in params]

    assert len(set(tokens)) == len(tokens)
