"""`research mcp`: the stdio server, configured by the environment."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

import typer

from infra import evidence_files
from infra.client.forwarding import Forwarding
from infra.client.rest import Api
from infra.commands.terminal import err
from research.edges import mcp_stdio
from research.edges.mcp_server import Offer
from research.edges.mcp_stdio import UnusableFile
from research.words.catalogue import PROFILES, SWITCH
from research.words.sources import Source


def run() -> None:
    """Serve until standard input ends. Exits with code 2, and says why, if the environment does not do."""
    url, token, offer = _configured(os.environ)
    with Api(url, token) as api:
        try:
            mcp_stdio.serve(offer, Forwarding(api), _read)
        except KeyboardInterrupt:
            raise typer.Exit(130) from None


def _configured(environment: Mapping[str, str]) -> tuple[str, str, Offer]:
    url, token = environment.get("SOSOAPI_URL", ""), environment.get("SOSOAPI_TOKEN", "")
    profile, switch = environment.get("SOSOAPI_PROFILE") or "full", environment.get("SOSOAPI_OUTPUT_SCHEMAS") or "0"
    faults = []
    if not _is_address(url):
        faults.append("SOSOAPI_URL: the API's address, such as http://127.0.0.1:8787 or the deployment's https URL.")
    if not token or not all("!" <= character <= "~" for character in token):
        faults.append("SOSOAPI_TOKEN: an access token of that API. `research dev` prints one of the local stack.")
    if profile not in PROFILES:
        faults.append("SOSOAPI_PROFILE: core or full; full if it is not set.")
    if switch not in SWITCH:
        faults.append("SOSOAPI_OUTPUT_SCHEMAS: 0 or 1; 0 if it is not set.")
    if faults:
        _misconfigured(faults)
    return url, token, Offer(PROFILES[profile], SWITCH[switch])


def _is_address(url: str) -> bool:
    try:
        address = urlsplit(url)
        return address.scheme in ("http", "https") and bool(address.hostname) and address.port != 0
    except ValueError:
        return False


def _misconfigured(faults: list[str]) -> NoReturn:
    err.print("research mcp cannot start. Missing or wrong in its environment:", style="red")
    for fault in faults:
        err.print(f"  {fault}")
    raise typer.Exit(2)


def _read(path: Path) -> list[Source]:
    try:
        return evidence_files.read(path)
    except OSError as error:
        raise UnusableFile(f"The file cannot be read: {error.strerror}.") from None
    except evidence_files.EvidenceFileError as error:
        raise UnusableFile(str(error)) from None
