"""Fifty clients at the same instant, over HTTP and through the gateway: one acts, and each is told what is true."""

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from harness.service import Service

from infra.client.rest import Api, ApiError
from infra.local.gateway import Gateway
from research.words.catalogue import BY_NAME

CLIENTS = 50


@pytest.fixture
def url(service: Service) -> Iterator[str]:
    handlers = {BY_NAME[name].path: endpoint for name, endpoint in service.endpoints.items()}
    gateway = Gateway(handlers, service.endpoints["conversations_get"]).start()
    yield gateway.url
    gateway.stop()


def sent(service: Service, url: str, bodies: list[dict[str, Any]]) -> list[Any]:
    """The result or problem of each, all sent at once by clients of their own."""
    gate = threading.Barrier(len(bodies))

    def one(body: dict[str, Any]) -> Any:
        with Api(url, service.token) as api:
            gate.wait()
            try:
                return api.send("assistant_request", body)
            except ApiError as refused:
                return refused.document

    with ThreadPoolExecutor(len(bodies)) as clients:
        return list(clients.map(one, bodies))


def test_fifty_clients_with_one_mutation_make_one_run(service: Service, url: str) -> None:
    conversation = service.create().body["conversation"]

    answers = sent(service, url, [service.asking(conversation)] * CLIENTS)

    assert len({answer["run"]["id"] for answer in answers}) == 1
    assert len(service.get(conversation["id"]).body["runs"]) == 1
    service.deliver()
    assert len(service.model.prompts) == 1


def test_of_fifty_clients_with_a_mutation_each_on_one_revision_one_is_accepted(service: Service, url: str) -> None:
    conversation = service.create().body["conversation"]

    answers = sent(service, url, [service.asking(conversation) for _ in range(CLIENTS)])

    assert Counter(answer.get("code", "accepted") for answer in answers) == {"accepted": 1, "revision_conflict": 49}
    read = service.get(conversation["id"]).body
    assert (len(read["runs"]), read["conversation"]["revision"]) == (1, 2)
