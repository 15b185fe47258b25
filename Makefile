.PHONY: check test corpus bench screenshots

check:
	ruff check .
	ruff format --check .
	mypy
	lint-imports

test:
	pytest

corpus:
	python -m tests.corpus.table
