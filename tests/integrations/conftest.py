"""What the tests of integrations share with those of prompts: a project, and files in it."""

from tests.prompt.conftest import make, project, write

__all__ = ["make", "project", "write"]
