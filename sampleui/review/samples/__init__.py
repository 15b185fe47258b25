"""A record beside the sample it ran: which one it is, what it expects, what it was sent."""
