"""Lambda: POST /research-api/conversations/list."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("conversations_list", Wiring().calls())
