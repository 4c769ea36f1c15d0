"""API Gateway events at the REST edge: what passes, what is refused, and in which order."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from harness.service import Service, http_event, new_id

from handlers import unrouted
from research.words.catalogue import BY_NAME
from tests.edges.rest_events import a_body, an_event, answered

MIB = 1024 * 1024


def test_a_body_may_come_as_text_or_in_base64(service: Service) -> None:
    body = a_body(service, title="Größe 🙂")

    as_text = answered(service, an_event(service, body))
    in_base64 = answered(service, an_event(service, body.encode()))

    assert (as_text.status, in_base64.status, in_base64.replayed) == (200, 200, True)
    assert as_text.body == in_base64.body
    assert as_text.body["conversation"]["title"] == "Größe 🙂"


def test_header_names_and_the_scheme_are_read_in_any_case(service: Service) -> None:
    for spelled in (str.lower, str.upper, str.title):
        headers = {
            spelled("content-type"): spelled("application/json"),
            spelled("authorization"): f"{spelled('bearer')} {service.token}",
        }

        assert answered(service, an_event(service, a_body(service), headers=headers)).status == 200


def test_only_json_is_taken_and_the_parameters_of_its_media_type_do_not_matter(service: Service) -> None:
    statuses = {
        "application/json": 200,
        "application/json; charset=utf-8": 200,
        "Application/JSON;charset=UTF-8": 200,
        " application/json ; a=b": 200,
        "": 415,
        "text/plain": 415,
        "application/jsonp": 415,
        "application/vnd.api+json": 415,
        "application/json, text/plain": 415,
        ";application/json": 415,
    }

    def status(media_type: str) -> int:
        headers = {"content-type": media_type, "authorization": f"Bearer {service.token}"}
        response = answered(service, an_event(service, a_body(service), headers=headers))
        assert response.code in ("ok", "unsupported_media_type")
        return response.status

    assert {media_type: status(media_type) for media_type in statuses} == statuses


def test_an_event_without_headers_is_415(service: Service) -> None:
    without = an_event(service, a_body(service))
    del without["headers"]

    for event in (without, {**without, "headers": {}}, {**without, "headers": None}):
        assert answered(service, event).status == 415


def test_a_stage_before_the_path_does_not_matter(service: Service) -> None:
    event = an_event(service, a_body(service))
    event["rawPath"] = f"/prod{event['rawPath']}"
    event["requestContext"] |= {"stage": "prod", "http": {**event["requestContext"]["http"], "path": event["rawPath"]}}

    assert answered(service, event).status == 200


def test_any_other_method_is_405_and_says_which_is_allowed(service: Service) -> None:
    for operation in BY_NAME:
        for method in ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "post", "TRACE"):
            response = answered(service, http_event(BY_NAME[operation].path, method, {}, b""), operation)

            assert (response.status, response.code, response.headers["allow"]) == (405, "method_not_allowed", "POST")


def test_a_body_of_one_mebibyte_passes_and_one_byte_more_is_413(service: Service) -> None:
    body = json.dumps(service.creation(title="Größe"), ensure_ascii=False)
    largest = body + " " * (MIB - len(body.encode()))

    passed = [answered(service, an_event(service, sent)) for sent in (largest, largest.encode())]
    refused = [answered(service, an_event(service, sent)) for sent in (largest + " ", largest.encode() + b" ")]

    assert [response.status for response in passed] == [200, 200]
    assert [(response.status, response.code) for response in refused] == [(413, "body_too_large")] * 2


NOT_JSON = {
    "nothing": b"",
    "half an object": b'{"workspace_id": ',
    "single quotes": b"{'a': 1}",
    "two values": b"{} {}",
    "a comment": b"{} // {}",
    "a byte order mark": b"\xef\xbb\xbf{}",
    "not UTF-8": b'{"title": "\xff"}',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "an encoded surrogate": b'{"title": "\xed\xa0\x80"}',
    "a line break in a string": b'{"title": "a\nb"}',
    "a member twice": b'{"title": "a", "title": "a"}',
    "a member twice, deep inside": b'{"a": [{"b": {"c": 1, "c": 1}}]}',
    "a member twice, once escaped": b'{"title": "a", "\\u0074itle": "b"}',
    "not a number": b'{"a": NaN}',
    "infinity": b"Infinity",
    "less than infinity": b'{"a": -Infinity}',
    "100,000 arrays": b"[" * 100_000 + b"]" * 100_000,
    "100,000 objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "100,000 brackets": b"[" * 100_000,
    "an endless number": b"9" * 100_000,
}


def test_what_is_not_one_json_value_is_invalid_as_a_whole(service: Service) -> None:
    responses = {name: answered(service, an_event(service, body)) for name, body in NOT_JSON.items()}

    assert {name: (response.status, response.code) for name, response in responses.items()} == dict.fromkeys(
        NOT_JSON, (400, "invalid_request")
    )
    assert all([error["pointer"] for error in response.body["errors"]] == [""] for response in responses.values())


def test_a_value_that_is_no_object_is_invalid_as_a_whole(service: Service) -> None:
    for operation in BY_NAME:
        for body in ("null", "[]", '"text"', "0", "true", "1e999", "[[[[[[]]]]]]"):
            response = answered(service, an_event(service, body, operation), operation)

            assert response.status == 400
            assert response.body["errors"] == [{"pointer": "", "detail": "An object is expected."}]


def test_a_body_that_is_not_the_base64_it_claims_to_be_is_invalid(service: Service) -> None:
    for broken in ("@@@", "abc", "größe"):
        event = an_event(service, broken, isBase64Encoded=True)

        assert answered(service, event).code == "invalid_request"


def test_an_escaped_lone_surrogate_is_invalid_where_it_stands(service: Service) -> None:
    for member in ("title", "language", "mutation_id", "workspace_id"):
        for escape in ("\\ud800", "\\udfff", "a\\udbffb"):
            body = json.dumps({**service.creation(), member: "SURROGATE"}).replace("SURROGATE", escape)
            response = answered(service, an_event(service, body))

            assert [error["pointer"] for error in response.body["errors"]] == [f"/{member}"]


def test_a_member_name_is_named_only_if_it_looks_like_a_field_name(service: Service) -> None:
    names = ["extra_field", "with space", "größe", "a" * 41, "", "a/b", "0digit", "naïve", "x\n", "__proto__"]
    known = {"extra_field": "/extra_field", "__proto__": "/__proto__"}

    for name in names:
        response = answered(service, an_event(service, json.dumps({**service.creation(), name: 1})))

        assert [error["pointer"] for error in response.body["errors"]] == [known.get(name, "/…")]


def test_a_lone_surrogate_in_a_member_name_is_invalid(service: Service) -> None:
    body = a_body(service).replace('"title"', '"\\ud800"')

    assert answered(service, an_event(service, body)).code == "invalid_request"


def test_the_first_thing_that_is_wrong_is_what_is_said(service: Service) -> None:
    stranger = service.issue(new_id())
    viewer = service.member(new_id(), "viewer")
    faults: list[tuple[int, Callable[[Any], Any]]] = [
        (405, lambda event: event["requestContext"]["http"].update(method="PUT")),
        (415, lambda event: event["headers"].update({"content-type": "text/plain"})),
        (413, lambda event: event.update(body=base64.b64encode(b" " * (MIB + 1)).decode())),
        (401, lambda event: event["headers"].update(authorization="Bearer nothing")),
        (400, lambda event: event.update(body=base64.b64encode(b"{").decode())),
        (403, lambda event: event["headers"].update(authorization=f"Bearer {stranger}")),
        (403, lambda event: event["headers"].update(authorization=f"Bearer {viewer}")),
    ]
    without_project = service.creation(context={**service.context(), "project_id": new_id()})

    for first, (status, _) in enumerate(faults):
        event = an_event(service, json.dumps(without_project).encode())
        for _, spoil in reversed(faults[first:]):
            spoil(event)

        assert answered(service, event).status == status
    assert answered(service, an_event(service, json.dumps(without_project))).status == 404


def test_an_invalid_body_with_an_invalid_token_is_401(service: Service) -> None:
    for body in (b"{", b"null", b"{}", b""):
        for authorization in ("", "Bearer", "Bearer nothing", "Basic bmFtZTpwYXNz", service.token):
            headers = {"content-type": "application/json", "authorization": authorization}
            response = answered(service, an_event(service, body, headers=headers))

            assert (response.status, response.headers["www-authenticate"]) == (401, "Bearer")
    no_base64 = an_event(service, "@@@", isBase64Encoded=True, headers={"content-type": "application/json"})
    assert answered(service, no_base64).status == 401


def test_only_a_401_asks_for_authentication(service: Service) -> None:
    refused = [answered(service, an_event(service, body)) for body in (b"{}", b"null")]

    assert all("www-authenticate" not in response.headers for response in refused)


@pytest.mark.parametrize("path", ["/", "/research-api/conversations/create/", "/RESEARCH-API/conversations/create"])
def test_a_path_of_no_operation_is_404_whatever_else_is_wrong(path: str) -> None:
    event = http_event(path, "GET", {}, b"{") | {"routeKey": "$default"}

    answer = unrouted.handler(event, None)

    body = json.loads(answer["body"])
    assert (answer["statusCode"], answer["headers"]["content-type"]) == (404, "application/problem+json")
    assert (body["code"], body["request_id"]) == ("route_not_found", event["requestContext"]["requestId"])
    assert answer["headers"]["request-id"] == body["request_id"]
