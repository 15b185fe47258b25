"""The nodes of YAML texts: built from events, with their places, their values and the layout around them."""
