"""The commands of the review screen, by what they act on."""
