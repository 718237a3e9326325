# What a person types after cloning. Owns .venv and what is installed in it, nothing else.
#
# Needs a POSIX sh, Python >= 3.11 with venv, and a package index. Kept to what GNU Make 3.81 knows,
# which is the one macOS has. PYTHON=... chooses the interpreter, ARGS=... is passed on.

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin

# A stamp is named after this folder and what pyproject.toml says: a venv does not survive a move,
# and an unpacked archive may bring a changed file with an old date. Touching the file counts too.
state := $(shell { pwd -P; cat pyproject.toml; } | cksum | cut -d' ' -f1)
base := .venv/.installed-base-$(state)
dev := .venv/.installed-dev-$(state)

# Sizes: du of .venv on Linux, November 2026; tests/test_wheel.py holds the first one true.
base_text := quiz and its libraries (Textual, SQLAlchemy, NumPy, FSRS and others), 180 MB
dev_text := quiz, its libraries and what checks it (pytest, mypy, ruff and others), 500 MB

# The tests start the program hundreds of times. Compiled anew each time, a start costs 0.9 s instead
# of 0.3 s, and pytest spends 6 s on rewriting assertions.
unexport PYTHONDONTWRITEBYTECODE

# A file's tests stay with one process: several prepare something dear once (tests/test_wheel.py).
# More processes than cores: tests of real terminals and processes wait more than they compute. Forks
# share what one process has collected in 10 s; where a fork may not be safe, each worker collects.
# On a busy machine a real terminal now and then answers too late: what fails is tried again, and the
# summary names it (RERUN). `make test-long` and a bare pytest try once.
at_once := $(if $(filter Linux,$(shell uname)),-p no:xdist --forks 6,-n 4 --dist loadfile --no-loadscope-reorder)
pytest := $(BIN)/python -m pytest $(at_once)
again := --reruns 2
# Its cache trusts an unchanged file even when a module that the file names was renamed.
lint_imports := $(BIN)/lint-imports --no-cache

.PHONY: help start test test-long test-gpu bench clean

help: ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

start: $(base) ## study; the first time installs the program into .venv
	@$(BIN)/quiz start $(ARGS)

# Types take a core for 30 s: the one that collecting tests leaves idle. What was found is said last.
test: $(dev) ## run everything that checks the project
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(lint_imports)
	$(BIN)/mypy >.venv/types.log 2>&1 & types=$$!; $(pytest) $(again) $(ARGS); tests=$$?; \
	wait $$types; types=$$?; cat .venv/types.log; exit $$((tests | types))

test-long: $(dev) ## run the soak, fuzz and full-size tests
	$(pytest) -m long --timeout 0 $(ARGS)

test-gpu: $(dev) ## run what needs an NVIDIA GPU, with numba-cuda installed; one at a time
	$(BIN)/python -m pytest -m gpu --timeout 0 $(ARGS)

bench: $(dev) ## print the benchmark table
	@$(BIN)/python -m bench $(ARGS)

clean: ## remove .venv and every cache; progress is kept elsewhere and stays
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(base): pyproject.toml
	$(call install,.,$(base_text))
	@touch $(base)

# What checks the project contains what runs it: one pip run stamps both.
$(dev): pyproject.toml
	$(call install,.[dev],$(dev_text))
	@touch $(base) $(dev)

# The system's Python was removed or replaced under the venv: nothing in it is installed.
ifneq ($(shell test -x $(BIN)/python && echo there),there)
.PHONY: $(base) $(dev)
endif

# True when .venv was made in this folder, has a pip, and its Python is new enough.
venv_usable = grep -qF "$$(pwd -P)/.venv" $(BIN)/activate 2>/dev/null && \
	$(BIN)/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null

say_and_stop = { echo "$(1)" >&2; exit 1; }
no_python := $(PYTHON) was not found. Install Python 3.11 or newer, or name one: make start PYTHON=python3.12
old_python := $(PYTHON) is older than Python 3.11. Install a newer one, or name it: make start PYTHON=python3.12
no_venv := $(PYTHON) has no venv module. On Debian and Ubuntu: apt-get install python3-venv
no_install := Could not install: the reason stands above, and all that pip said in .venv/install.log.

# Every second, on a terminal: how long it takes so far, and what pip said last. Ends with the shell
# that began it, which `kill -0` asks for: an interrupt does not reach what runs in the background.
tick = ( test -t 1 || exit 0; s=0; while sleep 1 && kill -0 $$$$ 2>/dev/null; do s=$$((s + 1)); \
	said=$$(tail -n 1 .venv/install.log 2>/dev/null); \
	printf '\r%4d s  %-68.68s' "$$s" "$${said:-making .venv}"; done ) & ticker=$$!
tock = kill "$$ticker" 2>/dev/null; test ! -t 1 || printf '\r%76s\r' ''
pip_steps := ^(Looking|Obtaining|Collecting|Processing|Requirement|Building|Installing| +(Downloading|Using|Installing|Getting|Preparing|Checking))

# $(1): what pip installs, $(2): what the person is told. On failure the end of what pip said
# besides its steps, its warnings too, since they name the host that could not be reached.
define install
@$(venv_usable) || { \
	command -v "$(PYTHON)" >/dev/null || $(call say_and_stop,$(no_python)); \
	"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || $(call say_and_stop,$(old_python)); \
	"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || $(call say_and_stop,$(no_venv)); }
@echo "Installing into .venv: $(2)"
@rm -f .venv/.installed-* .venv/install.log
@$(tick); { $(venv_usable) || "$(PYTHON)" -m venv --clear .venv; } && \
	$(BIN)/python -m pip install --no-input --disable-pip-version-check --progress-bar off \
	--editable "$(1)" >.venv/install.log 2>&1; status=$$?; $(tock); test $$status = 0 || { \
	grep -vE '$(pip_steps)' .venv/install.log | tail -n 20 >&2; $(call say_and_stop,$(no_install)); }
endef
