# What can be done here, one target each: `make` lists them. Everything sets itself up when it is first needed.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Ports of `make serve`, and where its sandbox sends delivery receipts (empty: nowhere).
PORT ?= 8000
SANDBOX_PORT ?= 8080
WEBHOOK_URL ?=
# The interpreter that .venv is made with, and how many processes run the tests: one more than there are
# processors, as many a test waits for a server, a clock or a browser; each reads all tests before it runs its own.
PYTHON ?= $(shell .ci/find-python)
JOBS ?= $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )))

# Which of the tests run: those that are not marked `deep`. `make test-deep` empties it. It builds our site with
# `mkdocs build --strict` too: in the fast tier the unit tests build it, once for all, and accept no finding.
TIER ?= and not deep

# A revision of git that `make check` compares with too, such as origin/main.
SINCE ?=

# What `make bench-records` measures.
ROWS ?= 50000
COUNTRIES ?= 240

export NO_MKDOCS_2_WARNING := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests start hundreds of processes: where the environment forbids to keep bytecode, each would compile all.
export PYTHONDONTWRITEBYTECODE :=

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
say = @printf '\n\033[1m==> %s\033[0m\n' "$(1)"
# Where `make test` runs several targets at once, it shows what each printed when that has ended; what takes
# minutes is shown as it goes on, at the file descriptor that SHOWN names.
show = @exec >&$${SHOWN:-1} 2>&1; unset SHOWN

.PHONY: help
help: ## List the targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile

.PHONY: serve
serve: $(READY) ## Build the portal and serve it with live reload, the sandbox beside it (PORT, SANDBOX_PORT, WEBHOOK_URL)
	@exec $(BIN)/devportal serve --port "$(PORT)" \
	  --with "sandbox --port $(SANDBOX_PORT) $(if $(WEBHOOK_URL),--webhook-url '$(WEBHOOK_URL)')"

# What waits for a network, for a disk or for a browser runs beside what computes.
.PHONY: test
test: ## Run every check, and the tests of the fast tier
	@exec 9>&1
	export SHOWN=9
	$(MAKE) --jobs 3 --output-sync=target packages lint conformance types layers check $(if $(TIER),,build)
	$(MAKE) --jobs 2 --output-sync=target unit browser
	printf '\n\033[1m==> Everything is in order\033[0m\n'

.PHONY: test-deep
test-deep: ## Run every check and all tests, those of the deep tier too: before a release or after a large change
	@$(MAKE) test TIER=

.PHONY: lint
lint: $(READY) ## Check style and format with ruff
	$(call say,Style and format)
	@$(BIN)/ruff check .
	$(BIN)/ruff format --check .

.PHONY: types
types: $(READY) ## Check types with mypy, strictly
	$(call say,Types)
	@$(BIN)/mypy tools tests bench .ci/release_toolkit.py openapi/schemathesis_hooks.py

.PHONY: layers
layers: $(READY) ## Check which way imports point
	$(call say,Layers)
	@$(BIN)/lint-imports

# Each program with its Debian package.
UNIT_PACKAGES := curl curl node nodejs php php-cli initdb postgresql $(if $(TIER),,go golang-go ruby ruby \
  javac default-jdk-headless mcs mono-devel nginx nginx-light caddy caddy)
define install_for_unit
PATH="$$PATH:$$(echo /usr/lib/postgresql/*/bin | tr ' ' ':')" .ci/install-package $(UNIT_PACKAGES)
$(if $(TIER),,.ci/install-npm newman newman@6 "$(CURDIR)/.venv/npm")
$(if $(TIER),,.ci/install-npm afdocs afdocs@0.22 "$(CURDIR)/.venv/npm")
endef
define install_for_browser
.ci/install-package chromium-headless-shell chromium-headless-shell || .ci/install-package chromium chromium
endef

.PHONY: packages
packages: $(if $(TIER),,$(READY)) ## Install the other programs that unit and browser need: Debian's, npm's
	$(call say,Packages)
	@$(install_for_unit)
	$(install_for_browser)

.PHONY: unit
unit: $(READY) ## Run the tests that need no browser
	$(call show)
	$(call say,Unit tests)
	@$(install_for_unit)
	PATH="$$PATH:$(CURDIR)/.venv/npm/bin" $(BIN)/pytest -n $(JOBS) --dist worksteal -m "not browser $(TIER)" --ignore=tests/browser

.PHONY: build
build: $(READY) ## Build the site into site/, strictly
	$(call say,Site)
	@$(BIN)/mkdocs build --strict

.PHONY: check
check: $(READY) ## Check contract, examples, records and changelog (SINCE=origin/main: and that history only grew)
	$(call say,Contract and records and changelog)
	@$(BIN)/devportal check $${SINCE:+--since "$$SINCE"}

.PHONY: conformance
conformance: $(READY) ## Start the sandbox on a free port and test it against the contract
	$(call say,Conformance of the sandbox)
	@.ci/conformance "$(BIN)/devportal" --stability all

.PHONY: browser
browser: $(READY) ## Look at the built site in headless Chromium
	$(call say,Browser tests)
	@$(install_for_browser)
	CI=true $(BIN)/pytest -n $(JOBS) --dist worksteal -m "browser $(TIER)" tests/browser

.PHONY: bench
bench: $(READY) ## Measure builds: time, memory, size (FILES="a.yaml b.json" for your own)
	@$(BIN)/python bench/build.py $(FILES)

.PHONY: bench-reload
bench-reload: $(READY) ## Measure how soon a served portal shows an edit (OPTIONS="--project FOLDER" for another)
	@$(BIN)/python bench/reload.py $(OPTIONS)

.PHONY: bench-records
bench-records: $(READY) ## Measure a site of 50,000 rates in 240 countries (ROWS=, COUNTRIES= for others)
	@$(BIN)/python bench/catalog.py --rows "$(ROWS)" --countries "$(COUNTRIES)"

.PHONY: bench-diff
bench-diff: $(READY) ## Measure the comparison of contracts (FILES="a.yaml b.json" for your own)
	@$(BIN)/python bench/diff.py $(FILES)

.PHONY: bench-growth
bench-growth: $(READY) ## Measure how commands grow with contracts of many kinds (OPTIONS="files union" for some)
	@$(BIN)/python bench/growth.py $(OPTIONS)

.PHONY: bench-sandbox
bench-sandbox: $(READY) ## Measure the sandbox: messages, receipts, memory, start (OPTIONS="--minutes 10" for longer)
	@$(BIN)/python bench/sandbox.py $(OPTIONS)

.PHONY: bench-mock
bench-mock: $(READY) ## Measure a mock: requests per second, latency, CPU of a request (OPTIONS="api.yaml --connections 4")
	@$(BIN)/python -m bench.mock $(OPTIONS)

.PHONY: bench-conformance
bench-conformance: $(READY) ## Measure conformance runs, beside plain Schemathesis (OPTIONS="parcels --faults 5" for less)
	@$(BIN)/python -m bench.conformance $(OPTIONS)

.PHONY: bench-pages
bench-pages: $(READY) ## Measure a page in Chromium beside Redoc, Scalar, Swagger UI, Elements (OPTIONS="--lighthouse b.json")
	@.ci/install-package chromium chromium
	.ci/install-package npm npm
	$(BIN)/python -m bench.pages $(OPTIONS)

.PHONY: bench-engines
bench-engines: $(READY) ## Build the portal with MkDocs, ProperDocs and Zensical, and count what differs
	@$(BIN)/python -m bench.engines $(OPTIONS)

.PHONY: bench-install
bench-install: $(READY) ## Measure what pip installs for each extra, and how fast it starts (OPTIONS="base rates" for less)
	@$(BIN)/python bench/install.py $(OPTIONS)

.PHONY: bench-tests
bench-tests: $(READY) ## Measure the checks: CPU seconds of each target, the costliest tests (OPTIONS="unit --most 50")
	@$(BIN)/python bench/suites.py $(OPTIONS)

.PHONY: release-toolkit
release-toolkit: $(if $(VERSION),$(READY)) ## Release the toolkit: changelog, version, packages, commit and tag (VERSION=0.3.0, OPTIONS=--dry-run)
	@test -n "$(VERSION)" || { echo "name the version: make release-toolkit VERSION=0.3.0" >&2; exit 2; }
	$(BIN)/python .ci/release_toolkit.py $(VERSION) $(OPTIONS)

.PHONY: audit
audit: $(READY) ## Look for known vulnerabilities in the locked packages (asks the network, so no part of test)
	$(call say,Audit)
	@.ci/audit "$(BIN)/python"

.PHONY: golden
golden: $(READY) ## Write the golden files anew; read the difference before you commit it
	@$(BIN)/pytest -n $(JOBS) -m "not browser and not deep" --update-golden
	git --no-pager diff --stat -- tests/golden

.PHONY: lock
lock: ## Write requirements.lock anew from both pyproject.toml (a newer version of each package)
	@folder=$$(mktemp -d)
	trap 'rm -rf "$$folder"' EXIT
	"$(PYTHON)" -m venv "$$folder"
	"$$folder/bin/pip" install --quiet uv
	printf -- '--editable %s\n' '.[dev]' './tools/telecom[postgresql]' |
	  "$$folder/bin/uv" pip compile - --upgrade --python-version 3.11 --generate-hashes \
	    --no-emit-package devportal --no-emit-package devportal-telecom \
	    --no-emit-index-url --no-annotate --no-header --quiet --output-file requirements.lock
	git --no-pager diff --stat -- requirements.lock

.PHONY: clean
clean: ## Delete everything that is made here, the virtual environment too
	@rm -rf $(VENV) site build dist var .mypy_cache .ruff_cache .hypothesis .import_linter_cache .schemathesis .cache
	find tools tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps of a finished set-up: the locked packages, then the toolkit and the plug-in among them.
$(READY): $(VENV)/locked pyproject.toml tools/telecom/pyproject.toml
	@$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable . --editable tools/telecom
	touch $@

$(VENV)/locked: requirements.lock
	$(call show)
	$(call say,Setting up $(VENV); this takes a few minutes)
	@.ci/make-venv "$(PYTHON)" "$(VENV)"
	touch $@
