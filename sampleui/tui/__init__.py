"""The terminal app. The only package that imports Textual."""
