.PHONY: check test corpus torture mutants bench screenshots

# Style, types and the order of imports.
check:
	ruff check .
	ruff format --check .
	mypy
	lint-imports

test:
	pytest

# The seven edits on every deck of a folder of real ones (SAMPLEUI_CORPUS, or ../shared/corpus).
corpus:
	python -m tests.corpus.table

# What no author would do, for as long as it takes: 60,000 random keys, mouse events, pastes and resizes; 100,000 edits.
torture:
	python -m tests.torture.monkey
	python -m tests.torture.edits
	python -m tests.torture.faults
	python -m tests.torture.kills

# Single mutations of the rooms below the faces, and which of them no test notices.
mutants:
	python -m tests.mutants

# Start and key latency beside an empty Textual app and a lone TextArea, and the work of one edit.
bench:
	python -m tests.bench

# The pictures of the README and the docs, from the running app.
screenshots:
	python docs/make_screenshots.py
