"""Lambda: POST /research-api/assistant/request."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("assistant_request", Wiring().calls())
