"""What the conformance suite calls by name, added to our own tools and prompt: the rest of the server is ours."""

import base64
import json
from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from research.edges import mcp_server
from research.edges.mcp_server import Call, Context, Offer

EMPTY = {"type": "object", "additionalProperties": False}
PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc000000301010018dd8db0"
        "0000000049454e44ae426082"
    )
).decode()
SILENCE = base64.b64encode(b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0@\x1f\0\0\1\0\x08\0data\0\0\0\0").decode()
ADDRESS = {
    "$anchor": "addressDef",
    "type": "object",
    "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
}
WHOLE_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": ADDRESS},
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _resource(uri: str, media_type: str, text: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": media_type, "text": text}}


IMAGE = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
RESULTS: dict[str, dict[str, Any]] = {
    "test_simple_text": {"content": [_text("This is a simple text response for testing.")]},
    "test_image_content": {"content": [IMAGE]},
    "test_audio_content": {"content": [{"type": "audio", "data": SILENCE, "mimeType": "audio/wav"}]},
    "test_embedded_resource": {"content": [_resource("test://embedded-resource", "text/plain", "A resource.")]},
    "test_multiple_content_types": {
        "content": [_text("Several:"), IMAGE, _resource("test://mixed-content-resource", "application/json", "{}")]
    },
    "test_error_handling": {"content": [_text("This tool always returns an error.")], "isError": True},
    "test_logging_tool": {"content": [_text("Nothing is ever logged to the client.")]},
    "json_schema_2020_12_tool": {"content": [_text("Valid.")]},
}
PROMPTS = {
    "test_simple_prompt": "This is a simple prompt for testing.",
    "test_prompt_with_arguments": "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'",
}
UNDECLARED = "test_missing_capability"


def tools() -> list[dict[str, Any]]:
    """The suite's tools as `tools/list` has them."""
    schemas = dict.fromkeys((*RESULTS, UNDECLARED), EMPTY) | {"json_schema_2020_12_tool": WHOLE_SCHEMA}
    return [{"name": name, "description": "Of the suite.", "inputSchema": schema} for name, schema in schemas.items()]


def server(call: Call) -> Server:
    """Our server with the suite's tools and prompts beside its own."""
    offer = Offer()
    built = mcp_server.build(offer, call, lambda: json.loads(json.dumps([*offer.tools(), *tools()])))
    own_call, own_prompt = _handler(built, "tools/call"), _handler(built, "prompts/get")

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> Any:
        if params.name == UNDECLARED:
            needed = {"requiredCapabilities": {"sampling": {}}}
            raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "The client does not sample.", needed)
        if params.name in RESULTS:
            return types.CallToolResult.model_validate(RESULTS[params.name])
        return await own_call(context, params)

    async def get_prompt(context: Context, params: types.GetPromptRequestParams) -> Any:
        if params.name not in PROMPTS:
            return await own_prompt(context, params)
        text = PROMPTS[params.name].format(**(params.arguments or {}))
        return types.GetPromptResult.model_validate({"messages": [{"role": "user", "content": _text(text)}]})

    built.add_request_handler("tools/call", types.CallToolRequestParams, call_tool)
    built.add_request_handler("prompts/get", types.GetPromptRequestParams, get_prompt)
    return built


def _handler(built: Server, method: str) -> Callable[[Context, Any], Awaitable[Any]]:
    entry = built.get_request_handler(method)
    assert entry is not None
    return entry.handler
