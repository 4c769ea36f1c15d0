"""Lambda: every path that is no operation's."""

from research.edges.rest import unrouted

handler = unrouted
