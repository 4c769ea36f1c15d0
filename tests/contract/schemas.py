"""The published schemas, as judges and as generators: values that a schema accepts, and values that nearly are."""

import copy
import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from hypothesis import strategies as st
from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker

Json = Any
Schema = Mapping[str, Any]
Path = tuple[str | int, ...]

FORMATS = FormatChecker(formats=())
_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)", re.ASCII)

UUIDS = ("6fa459ea-ee8a-4ca4-894e-db77e160355e", "6FA459EA-EE8A-4CA4-894E-DB77E160355E")
INSTANTS = ("2026-02-28T23:59:59.999Z", "2024-02-29T00:00:00Z", "2099-12-31T12:30:00.001+00:00")
TEXTS = ("a", " ", "Größe", "漢字", "\U0001f642", 'quo"te\\', "two\nlines", "\x00")


@FORMATS.checks("uuid")
def _is_uuid(value: object) -> bool:
    return not isinstance(value, str) or _UUID.fullmatch(value) is not None


@FORMATS.checks("date-time")
def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or _DATE_TIME.fullmatch(value) is not None


def document(tool: str) -> dict[str, Json]:
    """What is published of one tool, by its name."""
    text = files("research.words").joinpath("contract", f"{tool}.json").read_text("utf-8")
    return dict(json.loads(text))


class Judge:
    """Says whether a schema accepts a value, under the draft it names and under the newest."""

    def __init__(self, schema: Schema) -> None:
        self._validators = [draft(schema, format_checker=FORMATS) for draft in (Draft7Validator, Draft202012Validator)]

    def accepts(self, value: Json) -> bool:
        """The verdict, which both drafts must share."""
        old, new = (validator.is_valid(value) for validator in self._validators)
        assert old == new
        return old


def resolved(schema: Schema) -> Schema:
    """The same schema with each `$ref` into its `$defs` replaced by what it names."""

    def inline(part: Json) -> Json:
        if isinstance(part, dict):
            if "$ref" in part:
                return schema["$defs"][part["$ref"].removeprefix("#/$defs/")]
            return {name: inline(inner) for name, inner in part.items()}
        return [inline(inner) for inner in part] if isinstance(part, list) else part

    return dict(inline(dict(schema)))


def example(schema: Schema) -> Json:
    """One accepted value that shows every member: no null where there is a choice, one item in every list."""
    if "anyOf" in schema:
        return example(schema["anyOf"][0])
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    match schema["type"]:
        case "object":
            return {name: example(inner) for name, inner in schema["properties"].items()}
        case "array":
            return [example(schema["items"])]
        case "string":
            return {"uuid": UUIDS[0], "date-time": INSTANTS[0]}.get(schema.get("format", ""), "text")
        case kind:
            return {"integer": 1, "boolean": False}[kind]


def values(schema: Schema) -> st.SearchStrategy[Json]:
    """Values that the schema accepts, of few items and short texts: `oddities` has those at the bounds."""
    if "anyOf" in schema:
        return st.one_of([values(inner) for inner in schema["anyOf"]])
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum", [schema.get("const")]))
    match schema["type"]:
        case "object":
            return st.fixed_dictionaries({name: values(inner) for name, inner in schema["properties"].items()})
        case "array":
            least = schema.get("minItems", 0)
            return st.lists(values(schema["items"]), min_size=least, max_size=least + 2)
        case "string":
            return _strings(schema)
        case "integer":
            whole = st.integers(1, 2**53 - 1)
            return whole | st.integers(1, 1000).map(float)
        case kind:
            return {"boolean": st.booleans(), "null": st.none()}[kind]


def _strings(schema: Schema) -> st.SearchStrategy[str]:
    if schema.get("format") == "uuid":
        return st.uuids().map(str) | st.uuids().map(lambda made: str(made).upper())
    if schema.get("format") == "date-time":
        return st.sampled_from(INSTANTS)
    return st.text(min_size=schema.get("minLength", 0), max_size=min(schema["maxLength"], 50))


def oddities(schema: Schema) -> Iterator[Json]:
    """What to try in the place of a value of this schema: each JSON type, and both sides of each of its bounds."""
    yield from (None, True, False, 0, 1, -1, 2, 24, 1.0, 24.0, 1.5, -0.0, 1e300, 2**53 - 1, 2**53, float(2**53), 2**64)
    yield from ("", "1", "true", "null", *TEXTS, *UUIDS, UUIDS[0].replace("-", ""), f"{{{UUIDS[0]}}}", f" {UUIDS[0]}")
    yield from (
        f"urn:uuid:{UUIDS[0]}",
        f"{UUIDS[0]}\n",
        UUIDS[0][:-1],
        UUIDS[0].replace("6", "\uff16"),
        "Question",
        "sentiment",
    )
    yield from ([], {}, [None], [[]], {"": None}, [UUIDS[0]], {"evidence_id": UUIDS[0]})
    for bound in _bounds(schema, "minLength", "maxLength"):
        yield from ("\U0001f642" * length for length in (bound - 1, bound, bound + 1) if length >= 0)
    for bound in _bounds(schema, "minItems", "maxItems"):
        yield from (distinct(schema["items"], count) for count in (bound - 1, bound, bound + 1) if count >= 0)


def _bounds(schema: Schema, *names: str) -> set[int]:
    return {schema[name] for name in names if name in schema}


def distinct(schema: Schema, count: int) -> list[Json]:
    """So many accepted items, no two with the same evidence id."""
    items = [copy.deepcopy(example(schema)) for _ in range(count)]
    for number, item in enumerate(items):
        if isinstance(item, dict) and "evidence_id" in item:
            item["evidence_id"] = f"6fa459ea-ee8a-4ca4-894e-{number:012x}"
    return items


def places(schema: Schema, path: Path = ()) -> Iterator[tuple[Path, Schema]]:
    """Every place of `example(schema)`, with its own schema."""
    yield path, schema
    if "anyOf" in schema:
        yield from list(places(schema["anyOf"][0], path))[1:]
    elif schema.get("type") == "object":
        for name, inner in schema["properties"].items():
            yield from places(inner, (*path, name))
    elif schema.get("type") == "array":
        yield from places(schema["items"], (*path, 0))


def within(value: Json, path: Path = ()) -> Iterator[Path]:
    """Every place of a value."""
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in members:
        yield from within(inner, (*path, name))


def at(value: Json, path: Path) -> Json:
    """What is at a place."""
    for step in path:
        value = value[step]
    return value


def replaced(value: Json, path: Path, new: Json) -> Json:
    """A copy with another value at a place."""
    if not path:
        return new
    changed = copy.deepcopy(value)
    at(changed, path[:-1])[path[-1]] = new
    return changed


def without(value: Json, path: Path) -> Json:
    """A copy without the member or item at a place."""
    changed = copy.deepcopy(value)
    del at(changed, path[:-1])[path[-1]]
    return changed


@st.composite
def mutants(
    draw: st.DrawFn, schema: Schema, kept: frozenset[str] = frozenset(), frozen: frozenset[str] = frozenset()
) -> Json:
    """An accepted value with up to three changes; no member in `kept` is dropped, and none in `frozen` replaced."""
    value = draw(values(schema))
    for _ in range(draw(st.integers(0, 3))):
        drops = draw(st.integers(0, 3)) == 0
        spared = kept if drops else frozen
        paths = [path for path in within(value) if path and spared.isdisjoint(path)]
        if paths:
            path = draw(st.sampled_from(paths))
            value = without(value, path) if drops else replaced(value, path, draw(_changed(at(value, path))))
    return value


def _changed(found: Json) -> st.SearchStrategy[Json]:
    """An oddity, or something near: a member more, an item twice, a longer text, another case, a number a bit off."""
    return st.sampled_from(list(oddities({}))) | _near(found)


def _near(found: Json) -> st.SearchStrategy[Json]:
    match found:
        case dict():
            return st.sampled_from([{**found, "more": None}, {**found, "": 1}, [found]])
        case list():
            return st.sampled_from([found * 2, found[:1] * 21, found[1:], [*found, None]])
        case str():
            return st.sampled_from([found.upper(), found.swapcase(), found * 2, found + "\U0001f642", found.strip("-")])
        case bool() | None:
            return st.sampled_from([not found, int(found or 0)])
        case _:
            return st.sampled_from([-found, found + 0.5, float(found), str(found), found == 1])
