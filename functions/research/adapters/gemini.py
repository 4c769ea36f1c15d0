"""Google Gemini through google-genai: at most one generation, within a deadline, and the truth about how it ended.

The library sends the request and nothing more. Whatever could send it twice is switched off (retries, redirects,
continuation, function calling, kept connections), and the answer is judged by its status and bytes rather than by
the library's reading. Whether a request left at all is known from the connection's own events.
"""

import asyncio
import logging
import re
import threading
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import httpx2
from google import genai
from google.genai import types

from research.adapters.gemini_failures import failure, may_be_the_schema
from research.adapters.gemini_key import ApiKey, GivenKey
from research.adapters.gemini_replies import reply
from research.operations.provider import NotGenerated, Reply, Unconfirmed, Unusable
from research.rules.prompt import Prompt, plain_schema, wire_schema

MAX_OUTPUT_TOKENS = 16_384
"""Thinking is counted in it too."""

_SHORTEST_SERVER_TIMEOUT = 10.0
"""Seconds. The library announces its timeout to the API, which answers 400 to less."""

_LARGEST_REPLY = 8 * 1024 * 1024
"""Bytes, unpacked. All that can be generated is a small part of it; more must not fill the worker's memory."""

_log = logging.getLogger(__name__)
_KEY = re.compile(r"[!-~]+", re.ASCII)
_MODEL = re.compile(r"[A-Za-z0-9._-]+", re.ASCII)


@dataclass(slots=True)
class _Wire:
    """What one request came to: whether any of it may have left, and the whole answer once there is one."""

    left: bool = False
    status: int | None = None
    body: bytes = b""

    async def trace(self, event: str, _: dict[str, Any]) -> None:
        """Note the first event past the connection (a name, TCP, TLS): from there on the request is leaving."""
        self.left = self.left or not event.startswith("connection.")


_wire: ContextVar[_Wire] = ContextVar("wire")


async def _watch(request: httpx2.Request) -> None:
    request.extensions["trace"] = _wire.get().trace


async def _keep(response: httpx2.Response) -> None:
    body = bytearray()
    async for part in response.aiter_bytes():
        body += part
        if len(body) > _LARGEST_REPLY:
            raise ValueError("the reply has no end")
    wire = _wire.get()
    wire.status, wire.body = response.status_code, bytes(body)


class Gemini:
    """One model behind one key. Safe to share between threads; the client is made at the first call with a key."""

    def __init__(self, api_key: str | ApiKey, model: str, base_url: str) -> None:
        self.model_id = model
        self._api_key: ApiKey = GivenKey(api_key.strip()) if isinstance(api_key, str) else api_key
        self._base_url = base_url
        self._plain = False
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: tuple[str, genai.Client] | None = None
        for name in ("google_genai", "httpx2", "httpcore2"):
            logging.getLogger(name).setLevel(logging.ERROR)

    def generate(self, prompt: Prompt, deadline: float) -> Reply:
        """Answer within `deadline` seconds of wall clock.

        Raises `Unusable`, `NotGenerated` or `Unconfirmed`, none of which holds a word of the request or the answer.
        """
        key = self._api_key.read()
        if not _KEY.fullmatch(key) or not _MODEL.fullmatch(self.model_id):
            self._api_key.refused()
            raise NotGenerated("not_configured")
        loop, client = self._running(key)
        outcome = asyncio.run_coroutine_threadsafe(self._within(client, prompt, deadline), loop).result()
        if isinstance(outcome, Reply):
            return outcome
        if isinstance(outcome, NotGenerated) and outcome.code == "not_configured":
            self._api_key.refused()
        raise outcome

    def _running(self, key: str) -> tuple[asyncio.AbstractEventLoop, genai.Client]:
        """The process's one loop, on a thread of its own: callers may be many threads, or run a loop themselves."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="gemini", daemon=True).start()
            if self._client is None or self._client[0] != key:
                self._client = key, self._made(key)
            return self._loop, self._client[1]

    def _made(self, key: str) -> genai.Client:
        # A client handed over ready-made keeps the library from choosing aiohttp, which retries by itself.
        wire = httpx2.AsyncClient(
            follow_redirects=False,
            trust_env=False,
            verify=httpx2.create_ssl_context(),
            limits=httpx2.Limits(max_keepalive_connections=0),
            event_hooks={"request": [_watch], "response": [_keep]},
        )
        options = types.HttpOptions(
            base_url=self._base_url,
            api_version="v1beta",
            retry_options=types.HttpRetryOptions(attempts=1),
            httpx_async_client=wire,
        )
        return genai.Client(api_key=key, vertexai=False, http_options=options)

    async def _within(
        self, client: genai.Client, prompt: Prompt, deadline: float
    ) -> Reply | Unusable | NotGenerated | Unconfirmed:
        """One generation; a second request only where the first proves that its schema was refused."""
        ends_at = asyncio.get_running_loop().time() + deadline
        schema = plain_schema() if self._plain else wire_schema(len(prompt.aliases))
        wire = await self._post(client, prompt, schema, ends_at)
        if not self._plain and wire.status is not None and may_be_the_schema(wire.status, wire.body):
            wire = await self._post(client, prompt, plain_schema(), ends_at)
            self._plain = wire.status == 200
        if wire.status is None:
            return Unconfirmed() if wire.left else NotGenerated("provider_unavailable", retryable=True)
        return reply(wire.body) if wire.status == 200 else failure(wire.status, wire.body)

    async def _post(self, client: genai.Client, prompt: Prompt, schema: dict[str, Any], ends_at: float) -> _Wire:
        """Send it once. Cancelling at `ends_at` (loop time) closes the socket."""
        wire = _Wire()
        _wire.set(wire)
        seconds = max(_SHORTEST_SERVER_TIMEOUT, ends_at - asyncio.get_running_loop().time())
        try:
            async with asyncio.timeout_at(ends_at):
                await client.aio.models.generate_content(
                    model=self.model_id, contents=prompt.contents, config=self._config(prompt, schema, seconds)
                )
        except Exception as error:  # noqa: BLE001 - what the library makes of an answer does not matter: `wire` does
            if wire.status is None:
                _log.warning("The call to Gemini ended in %s.", type(error).__name__)
        return wire

    def _config(self, prompt: Prompt, schema: dict[str, Any], seconds: float) -> types.GenerateContentConfig:
        thinking = types.ThinkingConfig(thinking_level=types.ThinkingLevel.LOW, include_thoughts=False)
        return types.GenerateContentConfig(
            http_options=types.HttpOptions(timeout=round(seconds * 1000)),
            should_return_http_response=True,
            system_instruction=prompt.system,
            max_output_tokens=MAX_OUTPUT_TOKENS,
            response_mime_type="application/json",
            response_json_schema=schema,
            automatic_continuation=False,
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            thinking_config=thinking if self.model_id.startswith("gemini-3") else None,
        )
