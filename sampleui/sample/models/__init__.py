"""The dialects' samples as pydantic models: the full shape, for type findings and JSON Schemas.

Import these only where a shape is checked or a schema is written; a start of the app does without.
"""
