"""Conditional writes as data: what to write, where, and what must hold for it."""

from dataclasses import dataclass, field
from typing import Any

from research.adapters.store import items
from research.adapters.store.items import Item
from research.operations.ports import Remembered
from research.words.clock import milliseconds
from research.words.records import Record, Ref
from research.words.resources import DUE_AT, DUE_SHARD, PARTITION_KEY


@dataclass(slots=True)
class Expression:
    """Parts of an expression with their placeholders. Every name is aliased: DynamoDB reserves hundreds of words."""

    names: dict[str, str] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)

    def name(self, attribute: str) -> str:
        """The placeholder of an attribute name."""
        self.names[f"#{attribute}"] = attribute
        return f"#{attribute}"

    def value(self, label: str, content: Any) -> str:
        """The placeholder of a value."""
        self.values[f":{label}"] = items.value(content)
        return f":{label}"

    def absent(self) -> str:
        """No such item."""
        return f"attribute_not_exists({self.name(PARTITION_KEY)})"

    def exists(self, attribute: str = PARTITION_KEY) -> str:
        """There is such an item, with this attribute: an update without this would make a ghost of a deleted one."""
        return f"attribute_exists({self.name(attribute)})"

    def equal(self, **attributes: Any) -> str:
        """Each attribute has this value; None stands for an attribute that is not there."""
        parts = [
            f"attribute_not_exists({self.name(attribute)})"
            if content is None
            else f"{self.name(attribute)} = {self.value(attribute, content)}"
            for attribute, content in attributes.items()
        ]
        return " AND ".join(parts)

    def parameters(self, **expressions: str) -> dict[str, Any]:
        """The request members for these expressions."""
        used: dict[str, Any] = {**expressions, "ExpressionAttributeNames": self.names}
        if self.values:
            used["ExpressionAttributeValues"] = self.values
        return used


@dataclass(frozen=True, slots=True)
class Write:
    """One Put, Update or Delete of one item, in the form that single and transactional calls share."""

    ref: Ref[Any]
    action: str
    parameters: dict[str, Any]


def put(ref: Ref[Any], record: Record, ttl: int | None, expression: Expression, condition: str) -> Write:
    """The whole item, if the condition holds."""
    stored: Item = items.item(ref, record, ttl)
    return Write(ref, "Put", {"Item": stored, **expression.parameters(ConditionExpression=condition)})


def put_anyway(ref: Ref[Any], record: Record) -> Write:
    """The whole item, beside other writes whose conditions stand for it."""
    return Write(ref, "Put", {"Item": items.item(ref, record)})


def delete(ref: Ref[Any]) -> Write:
    """No item; what is already gone is no error."""
    return Write(ref, "Delete", {"Key": items.key(ref)})


def delete_if(ref: Ref[Any], expression: Expression, condition: str) -> Write:
    """No item, if the condition holds of the one there is."""
    return Write(ref, "Delete", {"Key": items.key(ref), **expression.parameters(ConditionExpression=condition)})


def update(ref: Ref[Any], expression: Expression, change: str, condition: str = "") -> Write:
    """Some attributes, if the condition holds; without one only for a counter, which an update may make."""
    expressions = {"UpdateExpression": change} | ({"ConditionExpression": condition} if condition else {})
    return Write(ref, "Update", {"Key": items.key(ref), **expression.parameters(**expressions)})


def rest(ref: Ref[Any], expression: Expression, condition: str) -> Write:
    """Out of the index of due work, if the condition holds."""
    return update(ref, expression, f"REMOVE {expression.name(DUE_AT)}, {expression.name(DUE_SHARD)}", condition)


def remember(remembered: Remembered) -> Write:
    """The mutation's record, in the place of none or of one whose time is over."""
    expression = Expression()
    over = f"{expression.name('expires_at')} <= {expression.value('now', milliseconds(remembered.now))}"
    until = items.seconds(remembered.mutation.expires_at)
    return put(remembered.ref, remembered.mutation, until, expression, f"{expression.absent()} OR {over}")
