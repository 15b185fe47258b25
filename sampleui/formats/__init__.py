"""The text forms of decks. Each form is a `Document`; nothing above this package reads or writes deck text."""
