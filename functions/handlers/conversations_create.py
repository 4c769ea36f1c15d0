"""Lambda: POST /research-api/conversations/create."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("conversations_create", Wiring().calls())
