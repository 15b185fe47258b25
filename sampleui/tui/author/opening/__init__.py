"""From a path to the author screen, and the screens for a deck that is large, missing or broken."""
