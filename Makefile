# The targets are listed by `make help`. Go, make and git are enough for all of
# them; a C compiler adds the race detector.

VERSION   := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
RACE      := $(shell [ "$$(go env CGO_ENABLED)" = 1 ] && command -v "$$(go env CC)" >/dev/null && echo -race)
TOOL      := go tool -modfile=tools/go.mod
FUZZTIME  ?= 10s
SCHEDULES ?= 10000
SEEDS ?= 1000
KILLS     ?= 50
AGENTS    ?= 400
COUNT     ?= 1
CHROMIUM  ?= chromium
E2E_SCREENS ?=
E2E_FILES ?=
E2E_ONLY  ?=
MEASURED  ?= 60
CLI_DIR   ?= $(CURDIR)/bin/cli
# What test-cli installs. Where a version is named, the tests were tried with it.
CLIS      := @anthropic-ai/claude-code @openai/codex node@22.23.3 \
	@modelcontextprotocol/inspector@2.12.0 @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/conformance@0.1.16 \
	conformance-next@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12
SCENE     ?=
BENCH     ?=
export TASK E2E_FILES E2E_ONLY

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help build test race lint vet fmt house fuzz bench demo run mutants schedules kills test-cli check grammars ui ui-check ui-e2e ui-measure

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/kurogo
	CGO_ENABLED=0 go build -trimpath -ldflags '-X main.version=$(VERSION)' -o bin/kurogo ./cmd/kurogo

test: ## run every test, with the race detector where a C compiler is
	@$(if $(RACE),:,echo "note: there is no C compiler here, so the race detector is off")
	go test $(RACE) ./...

race: ## run every test anew with the race detector, COUNT times
	@$(if $(RACE),:,echo "the race detector needs a C compiler: install gcc" >&2; exit 1)
	go test -race -count=$(COUNT) -timeout 30m ./...

vet: ## run go vet, and see that go.mod says what is used
	go mod tidy -diff
	go vet ./...
	go -C tools vet ./mutants ./film

fmt: ## list files that gofumpt would change, and fail if there are any
	@unformatted=$$($(TOOL) gofumpt -l .) && [ -z "$$unformatted" ] || \
		{ echo "gofumpt would change:" >&2; echo "$$unformatted" >&2; exit 1; }

lint: fmt ## check the formatting and run golangci-lint
	$(TOOL) golangci-lint run ./...
	cd tools && go tool golangci-lint run --config ../.golangci.yml ./mutants ./film

house: ## check the laws of the house: floors, doors, sizes, no clock in SQL
	go test -count=1 -run 'TestHouse|TestPlanted' .

fuzz: ## fuzz every target for FUZZTIME (10s)
	@grep -rlE '^func Fuzz' --include='*_test.go' --exclude-dir=node_modules . | grep -v '^\./tools/' | sort | while read -r file; do \
		for target in $$(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*)\(.*/\1/p' "$$file"); do \
			echo "$$target ($$file)"; \
			out=$$(go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x "$$(dirname "$$file")" 2>&1); status=$$?; \
			echo "$$out"; \
			[ $$status = 0 ] && continue; \
			case "$$out" in \
				*"hung or terminated unexpectedly while minimizing: EOF"*) \
					echo "note: a worker of the fuzzer went away; what it had in hand is tried by itself"; \
					go test -count=1 -run "^$$target\$$" "$$(dirname "$$file")" || exit 1 ;; \
				*"Failing input"*) exit 1 ;; \
				*"context deadline exceeded"*) echo "note: the time was up in mid-run and no input fails (go.dev/issue/75804)" ;; \
				*) exit 1 ;; \
			esac; \
		done; \
	done

bench: build ## measure, each figure beside its limit (BENCH=-soft: a missed limit is no failure)
	go run ./bench $(BENCH)

demo: build ## watch a rehearsed crew do a small piece of work
	bin/kurogo demo

run: ## give the crew a task and wait: make run TASK="…"
	@[ -n "$$TASK" ] || { echo 'say what is to be done: make run TASK="write a haiku about stagehands"' >&2; exit 64; }
	@$(MAKE) --no-print-directory build
	bin/kurogo submit "$$TASK" --wait

grammars: ## compile what cuts code, index/grammars/source, to WebAssembly (this needs Node, clang, lld and wasi-libc)
	$(MAKE) -C index/grammars/source

ui: ## build the dashboard, ui/web, into ui/dist (this needs Node)
	cd ui/web && npm ci --no-audit --no-fund && npm run check && npm test && npm run build

ui-check: ## check that ui/dist is what ui/web builds
	@out=$$(mktemp -d) && trap 'rm -rf "$$out"' EXIT && cd ui/web && \
		npm ci --no-audit --no-fund && npm run check && npm test && OUT_DIR="$$out" npm run build && \
		diff -r "$$out" ../dist || { echo "ui/dist is not what ui/web builds: run make ui" >&2; exit 1; }

ui-e2e: build ## try the dashboard in Chromium, with the real binary (E2E_SCREENS=docs/screens: keep pictures)
	@command -v "$(CHROMIUM)" >/dev/null || { echo "NOT TRIED: there is no $(CHROMIUM) here, so nobody has looked at the dashboard" >&2; exit 0; }; \
	cd ui/web && { [ -d node_modules ] || npm ci --no-audit --no-fund; } && \
		CHROMIUM="$$(command -v "$(CHROMIUM)")" E2E_BINARY="$(CURDIR)/bin/kurogo" E2E_SCREENS="$(if $(E2E_SCREENS),$(abspath $(E2E_SCREENS)))" \
		npm run e2e

ui-measure: ## measure the dashboard in Chromium with a thousand agents at 500 events a second, for MEASURED (60) seconds
	@go build -o bin/bench ./bench && cd ui/web && { [ -d node_modules ] || npm ci --no-audit --no-fund; } && \
		CHROMIUM="$$(command -v "$(CHROMIUM)")" BENCH="$(CURDIR)/bin/bench" MEASURED=$(MEASURED) npm run measure -- $(BENCH)

mutants: ## plant every bug of mutants.txt and see that the tests catch it
	go run -C tools ./mutants

schedules: ## play SCHEDULES (10000) seeded schedules against the journal, and SEEDS (1000) with the real actors
	KUROGO_SCHEDULES=$(SCHEDULES) KUROGO_SEEDS=$(SEEDS) go test -count=1 -timeout 60m -run 'Schedules|Seeds' ./stores/... ./actors/...

test-cli: ## run the tests that need other people's programs (from npm, into CLI_DIR): SCENE=regexp
	@for cli in $(CLIS); do \
		if command -v npm >/dev/null && npm install --prefix $(CLI_DIR) --no-audit --no-fund --loglevel=error $$cli; then :; \
		else echo "note: $$cli cannot be installed here: its tests skip by name"; fi; \
	done
	KUROGO_TEST_CLI_DIR=$(CLI_DIR) go test -count=1 -v -run '^TestCLI$(SCENE)' ./drivers/claude ./drivers/codex ./cmd/kurogo

kills: ## kill -9 the real binary at KILLS (50) random points, and AGENTS (400) agents of it
	KUROGO_KILLS=$(KILLS) KUROGO_AGENTS=$(AGENTS) go test -count=1 -timeout 40m -run 'Kill|HundredAgents' ./cmd/...

check: vet lint house ## everything that must hold before a commit, besides test
	go -C tools test ./mutants ./film
	$(MAKE) fuzz FUZZTIME=20000x
	$(MAKE) mutants
	$(MAKE) schedules
