"""Lambda: POST /research-api/assistant/status."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("assistant_status", Wiring().calls())
