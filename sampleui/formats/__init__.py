"""The formats of decks. Each format is a `Document`; nothing above this package reads or writes deck text."""
