"""A run and its review as one page of HTML, which needs no network and can be sent to anyone."""
