"""The SDK's own server behind uvicorn, as a Lambda serves it through the web adapter: what one call costs it."""

import os
import signal
import subprocess
import sys

import httpx2

CALLS = 300

_SERVER = """
import socket, sys, uvicorn
from mcp.server.mcpserver import MCPServer
server = MCPServer("bare", log_level="CRITICAL")

@server.tool()
def projects_list(workspace_id: str) -> str:
    return "[]"

listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
application = server.streamable_http_app(json_response=True, stateless_http=True)
uvicorn.Server(uvicorn.Config(application, log_level="critical")).run(sockets=[listener])
"""


def behind_uvicorn() -> float:
    """Milliseconds of the server's processor time for each call, its start left out."""
    return (_used(CALLS) - _used(0)) * 1000 / CALLS


def _used(calls: int) -> float:
    """Seconds of processor time of a server that answers so many calls."""
    process = subprocess.Popen([sys.executable, "-c", _SERVER], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    url = f"http://127.0.0.1:{process.stdout.readline().strip()}/mcp"
    sent = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "projects_list", "arguments": {"workspace_id": "w"}},
    }
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
    with httpx2.Client(headers=headers, trust_env=False) as client:
        for _ in range(calls):
            assert client.post(url, json=sent).status_code == 200
    process.send_signal(signal.SIGKILL)
    _, _, used = os.wait4(process.pid, 0)
    process.stdout.close()
    return used.ru_utime + used.ru_stime
