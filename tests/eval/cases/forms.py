"""The form of a reply: what is repaired because nothing is lost by it, and what is no reply at all."""

from typing import Any

from eval.case import Case, Quoted, Said, texts

_ONE = texts("It is quiet, and the clip is flimsy.")
_SAID = (Said("The clip is said to be flimsy.", (Quoted("the clip is flimsy", "the clip is flimsy"),)),)
_GOOD = Case("form of the reply", "as agreed", _ONE, _SAID)
_JSON = _GOOD.reply()


def _repaired(name: str, raw: str) -> Case:
    return Case("form of the reply", name, _ONE, _SAID, raw=raw)


def _refused(name: str, raw: str, reason: Any = "shape") -> Case:
    return Case("form of the reply", name, _ONE, raw=raw, refused=reason)


CASES = (
    _GOOD,
    _repaired("a code fence round it", f"```json\n{_JSON}\n```"),
    _repaired("a byte order mark before it", f"\ufeff{_JSON}"),
    _repaired("white space round ids", _JSON.replace('["qt_2"]', '[" qt_2\\n"]').replace('"ev_1"', '" ev_1"')),
    _repaired("an id cited twice", _JSON.replace('["qt_2"]', '["qt_2", "qt_2"]')),
    _refused("prose", "Sure! Here is the answer: it is quiet.", "not_json"),
    _refused("prose round it", f"Here you are: {_JSON}", "not_json"),
    _refused("cut off in the middle", _JSON[: len(_JSON) // 2], "not_json"),
    _refused("two replies", _JSON + _JSON, "not_json"),
    _refused("brackets without end", "[" * 60_000, "not_json"),
    _refused("a key twice", _JSON.replace('"findings"', '"limitations": [], "findings"'), "not_json"),
    _refused("not a number", _JSON.replace("true", "NaN"), "not_json"),
    _refused("a field left out", _JSON.replace('"sentiment": [], ', "")),
    _refused("a field of the model's own", _JSON.replace('"sentiment"', '"confidence": 1, "sentiment"')),
    _refused("a number for a truth value", _JSON.replace("true", "1")),
    _refused("a text for a list", _JSON.replace('"sentiment": []', '"sentiment": ""')),
    _refused("nothing for a text", _JSON.replace('"uncertainty": ""', '"uncertainty": null', 1)),
    _refused("a basis that does not exist", _JSON.replace('"observed"', '"proven"', 1)),
    _refused("a basis in capitals", _JSON.replace('"observed"', '"Observed"', 1)),
    _refused("half a character", _JSON.replace("flimsy.", "flimsy\\ud83d.")),
    _refused("a control character", _JSON.replace("flimsy.", "flimsy\\u0000."), "control_character"),
    _refused("a terminal's escape", _JSON.replace("flimsy.", "flimsy\\u001b[2J."), "control_character"),
    _refused("one id for two quotations", _JSON.replace('"qt_2"', '"qt_1"', 1), "quotation_conflict"),
    _refused("a list of replies", f"[{_JSON}]"),
    _refused("an empty object", "{}"),
)
