"""A synthesised template as plain JSON, and the questions that tests ask of it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Properties = dict[str, Any]


@dataclass(frozen=True)
class Template:
    """`document` is the template as it is deployed; `path` where it stands."""

    path: Path
    document: dict[str, Any]

    @classmethod
    def read(cls, assembly: Path) -> "Template":
        """The one template of an assembly."""
        (path,) = assembly.glob("*.template.json")
        return cls(path, json.loads(path.read_text()))

    @property
    def resources(self) -> dict[str, Any]:
        """Every resource, by its logical id."""
        found: dict[str, Any] = self.document["Resources"]
        return found

    def of(self, kind: str) -> dict[str, Properties]:
        """The properties of every resource of a type, by its logical id."""
        return {name: made["Properties"] for name, made in self.resources.items() if made["Type"] == f"AWS::{kind}"}

    def one(self, kind: str) -> Properties:
        """The properties of the only resource of a type."""
        (only,) = self.of(kind).values()
        return only

    def functions(self) -> dict[str, Properties]:
        """Every Lambda function by the name of its handler's file."""
        return {made["Handler"].split(".")[1]: made for made in self.of("Lambda::Function").values()}

    def statements(self, function: str) -> dict[str, Properties]:
        """What a function's role allows, by the statement's name."""
        role = self.resources[self.functions()[function]["Role"]["Fn::GetAtt"][0]]["Properties"]
        assert "ManagedPolicyArns" not in role
        (policy,) = role["Policies"]
        return {statement["Sid"]: statement for statement in policy["PolicyDocument"]["Statement"]}

    def variables(self, function: str) -> dict[str, Any]:
        """A function's environment."""
        found: dict[str, Any] = self.functions()[function].get("Environment", {}).get("Variables", {})
        return found


def listed(value: Any) -> list[Any]:
    """What IAM writes alone where there is one, and as a list where there are several."""
    return value if isinstance(value, list) else [value]
