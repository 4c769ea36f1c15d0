"""Lambda: POST /research-api/assistant/cancel."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("assistant_cancel", Wiring().calls())
