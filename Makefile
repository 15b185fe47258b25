.PHONY: check test quick coverage package corpus torture bench screenshots

# Style, types, the order of imports, and spelling.
check:
	ruff check .
	ruff format --check .
	mypy
	lint-imports --no-cache
	codespell

test:
	pytest

# What can be tested soon: all below the app and the command line, without a process, by few examples.
quick:
	pytest --quick -m 'not long' -n 2 $(addprefix tests/,deck formats page prompt review runs sample settings statistics text trace workspace)

# Which lines and branches no test runs.
coverage:
	pytest --cov --cov-report=term

# The wheel and the sdist, each installed and tried in an environment of its own.
package:
	python -m tests.package

# The seven edits on every deck of a folder of real ones (SAMPLEUI_CORPUS, or ../shared/corpus).
corpus:
	python -m tests.corpus.table

# What no author would do, for as long as it takes: 60,000 random keys, mouse events, pastes and resizes; 100,000 edits;
# 1,000 examples of each property.
torture:
	pytest --hypothesis-profile deep -m hypothesis
	python -m tests.torture.monkey
	python -m tests.torture.split_keys
	python -m tests.torture.edits
	python -m tests.torture.commands
	python -m tests.torture.folders
	python -m tests.torture.faults
	python -m tests.torture.kills
	python -m tests.torture.labelling
	python -m tests.torture.authoring
	python -m tests.torture.oddities
	python -m tests.torture.reruns
	python -m tests.torture.sharing

# Start and key latency beside an empty Textual app and a lone TextArea, and the work of one edit.
bench:
	python -m tests.bench $(PARTS) $(if $(BESIDE),--beside $(BESIDE)) $(if $(RUNS),--runs $(RUNS))

# The pictures of the README and the docs, from the running app.
screenshots:
	python docs/make_screenshots.py
