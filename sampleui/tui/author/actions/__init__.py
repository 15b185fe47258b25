"""The commands of the author screen, by what they act on."""
