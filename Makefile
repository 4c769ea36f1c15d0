# Everything runs in .venv, made from the hash-pinned locks. `make test` and `make demo` need Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCKS := infra/locks
GROUPS := operations generate mcp dev setup
COMPILED := $(LOCKS)
STAMP := $(VENV)/.ready

CDK := aws-cdk@2.1148.1
OUT := cdk.out
# What a deployment chooses, such as CONTEXT="stage=prod gemini_secret=team/gemini"; infra/README.md has the list.
CONTEXT :=
CHOSEN = $(CONTEXT:%=-c %)

.PHONY: setup demo dev test thorough faults bundles bench load eval smoke-gemini check format locks synth bootstrap diff deploy destroy clean

setup: $(STAMP)

$(STAMP): $(LOCKS)/setup.txt $(LOCKS)/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Python 3.11 or newer is needed; $(PYTHON) is older. Try: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	    { echo "The venv module is incomplete; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $(LOCKS)/setup.txt
	@$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes $(LOCKS)/dev.txt
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

demo: setup
	@$(BIN)/research ask --fresh "How long does the battery last, and how loud is it?"

dev: setup
	@$(BIN)/research dev

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy functions infra
	$(BIN)/lint-imports --no-logo

test: check
	$(BIN)/pytest -n 3

# The property tests of the pure core at a thousand examples each.
thorough: setup
	$(BIN)/pytest -n 2 tests/unit --hypothesis-profile=thorough

# Every step under every fault, five hundred random lives, a thousand runs under killed workers: about twenty minutes.
faults: setup
	@PYTHONPATH=.:functions:tests $(BIN)/python -m tests.faults.run

# How large each bundle is, and every sample event as it is answered from its bundle alone.
bundles: setup
	@PYTHONPATH=.:functions:tests $(BIN)/python -m tests.bundle.run

# What each call costs, beside its limit; RENEW=1 records the counts that the tests hold it to. A few minutes.
bench: setup
	@test -d cdk.out || $(MAKE) --no-print-directory synth >/dev/null
	@RENEW=$(RENEW) PYTHONPATH=.:functions:tests $(BIN)/python -m tests.bench.run

# Twenty clients on the local stack, for two minutes.
load: setup
	@PYTHONPATH=.:functions:tests $(BIN)/python -m tests.bench.load

eval: setup
	@cd tests && ../$(BIN)/python -m eval.run

# One real call per kind of request; skipped without GEMINI_API_KEY.
smoke-gemini: setup
	@$(BIN)/python -m infra.smoke

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Compiles the dependency groups of pyproject.toml into one hash-pinned file each. No registry's address is written.
locks: setup
	@for group in $(GROUPS); do \
	    $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	        --no-emit-index-url --no-emit-find-links --group $$group --output-file $(COMPILED)/$$group.txt $(UPGRADE) || exit 1; \
	done

# The template and its assets in cdk.out, with every check passed. Needs neither credentials nor CDK's own command.
synth: setup
	@rm -f $(OUT)/*.json
	@$(BIN)/python -m infra.app $(CHOSEN)
	@$(BIN)/cfn-lint $(OUT)/*.template.json
	@$(BIN)/python -m infra.deployment.report $(OUT)

# By CDK's own command, run by the Node of .venv: npx fetches it once, at this version.
bootstrap diff deploy destroy: setup
	@$(BIN)/python -m infra.deployment.account $@
	@PATH="$(CURDIR)/$(BIN):$$PATH" CDK_DISABLE_CLI_TELEMETRY=true npm_config_update_notifier=false \
	    npx --yes $(CDK) $@ $(CHOSEN)

clean:
	rm -rf $(VENV) $(OUT) .build .mypy_cache .ruff_cache .pytest_cache .hypothesis
