"""Lambda: POST /research-api/conversations/get."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("conversations_get", Wiring().calls())
