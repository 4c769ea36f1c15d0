"""Events of API Gateway as the measured handlers are given them."""

import json
from typing import Any

from harness.service import Service, http_event


def rest(service: Service, body: Any) -> dict[str, Any]:
    """A call of an operation by the service's owner; which one is the handler's to say."""
    return http_event("/x", "POST", _headers(service), json.dumps(body).encode())


def mcp(service: Service, method: str, params: Any) -> dict[str, Any]:
    """A JSON-RPC request by the service's owner. Its body is text, as API Gateway has it."""
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    event = http_event("/mcp", "POST", _headers(service) | headers, b"")
    return event | {"body": body, "isBase64Encoded": False, "httpMethod": "POST"}


def calling(operation: str, arguments: Any) -> dict[str, Any]:
    """The parameters of a tools/call."""
    return {"name": f"sosoapi_research_{operation}", "arguments": arguments}


def _headers(service: Service) -> dict[str, str]:
    return {"content-type": "application/json", "authorization": f"Bearer {service.token}"}
