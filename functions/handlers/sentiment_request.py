"""Lambda: POST /research-api/sentiment/request."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("sentiment_request", Wiring().calls())
