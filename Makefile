# The front door. `make demo` and `make test` install what they need into .venv and nothing outside it.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
STAMP := $(VENV)/.installed
DEV := $(VENV)/.developer

.PHONY: demo test lint types imports schemas reference judging transcripts docs browser gates nightly validity validity-quick mutants bench bench-nightly lowest clean help

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(STAMP): pyproject.toml | $(VENV)/bin/python
	$(PIP) install --upgrade 'pip>=25.1'
	$(PIP) install --editable .
	@touch $@

$(DEV): $(STAMP)
	$(PIP) install --group test --group openapi --group browser --group oracles --group lint --group docs
	@touch $@

demo: $(STAMP) ## install, certify the reference exact lane on the bundled suite, write demo/
	@$(BIN)/denotary demo --out demo

test: $(DEV) ## install and run the fast tests
	$(BIN)/python -m pytest -q -n 2

lint: $(DEV) ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEV) ## mypy, strict
	$(BIN)/mypy

imports: $(DEV) ## the arrows between the rooms
	$(BIN)/lint-imports

schemas: $(DEV) ## the published JSON Schemas match the types
	$(BIN)/python tools/schemas.py --check

reference: $(DEV) ## the reference pages match the code, and the benchmarks page its results
	$(BIN)/python tools/reference.py --check
	$(BIN)/python tools/benchmarks_page.py --check

judging: $(DEV) ## the agreement figures of the bundled suite follow from its votes
	$(BIN)/python tools/judging.py --check

transcripts: $(DEV) ## the commands in the documentation print what the documentation says
	$(BIN)/python tools/transcripts.py --check

docs: $(DEV) ## build the documentation, warnings are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

browser: $(DEV) ## open the report in a real headless Chromium
	$(BIN)/python -m pytest -q -m browser

gates: | $(VENV)/bin/python ## the real similarity gates of other libraries, in an environment of their own
	$(PYTHON) -m venv .venv-gates
	.venv-gates/bin/python -m pip --quiet --disable-pip-version-check install --upgrade 'pip>=25.1'
	.venv-gates/bin/python -m pip --quiet --disable-pip-version-check install --group test --editable '.[gate-langchain,gate-llama-index,gate-gptcache,gate-semantic-router]'
	DENOTARY_GATES=required .venv-gates/bin/python -m pytest -q tests/instruments/similarity/shipped

nightly: $(DEV) ## exhaustive and simulation tests, and the fast ones with examples that nobody has tried yet
	$(BIN)/python -m pytest -q -m slow
	$(BIN)/python -m pytest -q --hypothesis-profile new

validity: $(STAMP) ## simulate coverage, false promotions and power at full size, rebuild the page (about 10 min on 2 cores)
	OMP_NUM_THREADS=1 $(BIN)/python -m validity

validity-quick: $(STAMP) ## the same with small repeats: every criterion, and whether the page is up to date
	OMP_NUM_THREADS=1 $(BIN)/python -m validity --quick

mutants: $(DEV) ## put small errors into statistics/ and verdicts/ and see whether the tests notice (half an hour on 2 cores)
	$(PIP) install --group mutants
	$(BIN)/python tools/mutants.py

lowest: | $(VENV)/bin/python ## the fast tests with the lowest versions that pyproject.toml allows
	tools/lowest.sh

bench: $(DEV) ## every benchmark against its peers; writes benchmarks/results and their page
	tools/bench.sh

bench-nightly: $(DEV) ## the benchmarks that need hours or much memory
	DENOTARY_BENCH=nightly tools/bench.sh

clean: ## remove what the targets made
	rm -rf $(VENV) .venv-lowest .venv-bench demo site build dist
