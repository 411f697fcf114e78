# Tabletop needs Go and make. Targets that also need Docker, Java with Maven, or a browser say so.

GO          ?= go
VERSION     := $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
LDFLAGS     := -s -w -X github.com/tabletop-db/tabletop/internal/util/version.linked=$(VERSION)
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GORELEASER  := github.com/goreleaser/goreleaser/v2@v2.16.0
IMAGE       ?= tabletop-db/tabletop:latest
UP_IMAGE    ?= tabletop-db/tabletop-up:latest
TARGET      ?= embedded
REPORTS     ?= reports
BIN         := bin/tabletop$(if $(filter Windows_NT,$(OS)),.exe)
EMULATOR    := bin/tabletop-emulator$(if $(filter Windows_NT,$(OS)),.exe)
# Additional flags for the command of a target: make up ARGS='--devices 50'
ARGS        ?=

export CGO_ENABLED ?= 0
# The same flags for programs, tests and checks, because Go compiles every package again for different flags. Debug
# information would be a sixth of the compiler's work, and programs are linked without it.
export GOFLAGS := $(strip $(GOFLAGS) $(if $(findstring -trimpath,$(GOFLAGS)),,-trimpath) \
	$(if $(findstring -gcflags,$(GOFLAGS)),,-gcflags=all=-dwarf=false))

.DEFAULT_GOAL := help
.PHONY: help up down test-local test features mutants load bench performance lint build emulator console pictures docs image snapshot ci nightly toolchain

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# up_runs succeeds, with its id in pid, if the `make up` that bin/up.pid names runs. A second one does not take its place:
# it ends at once if the first one has its ports.
up_runs = pid=$$(cat bin/up.pid 2>/dev/null) && ps -p "$$pid" -o args= 2>/dev/null | grep -q 'tabletop.* up'

up: build ## Run the emulator, backends, push gateway and 1,000 simulated devices until Ctrl-C
	@mkdir -p bin; $(up_runs) || echo $$$$ > bin/up.pid; exec ./$(BIN) up $(ARGS)

down: ## Stop a `make up` that runs in another terminal
	@$(up_runs) \
		|| { rm -f bin/up.pid; echo "nothing to stop: make up is not running here"; exit 0; }; \
	kill -TERM "$$pid"; while kill -0 "$$pid" 2>/dev/null; do sleep 0.2; done; rm -f bin/up.pid; echo "stopped"

# TestFeatures is skipped: it runs the same scenarios as the command below, which also writes their report. The tests
# are linked without debug information, and not vetted, because make lint does that.
test-local: build ## Run the unit tests and all scenarios on this machine (needs only Go)
	@echo "Running the unit tests; each package is printed when its tests have ended"
	@$(GO) test -vet=off -timeout 20m -ldflags '-s -w' -skip '^TestFeatures$$' $$($(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...)
	@echo "Running the scenarios of the service and of every backend on the embedded emulator"
	@./$(BIN) features --target embedded $(ARGS)

test: ## Run all Go tests with the race detector, in random order (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -vet=off -timeout 20m -tags pebblegozstd -shuffle=on ./...

features: build ## Run the scenarios on TARGET (embedded, url=…, dynamodb-local, aws, cosmos=…, azure)
	@./$(BIN) features --target '$(TARGET)' $(ARGS)

mutants: toolchain ## Check that scenarios and load profiles detect deliberate mistakes in the code
	@$(GO) run ./features/mutants/gate $(ARGS)

load: build ## Run the load profiles on TARGET, with a verdict for each documented limit
	@./$(BIN) loadtest run --target '$(TARGET)' $(ARGS)

bench: ## Run the benchmarks of the hot paths, with allocation counts
	$(GO) test -run '^$$' -bench . -benchmem ./emulator/...

performance: emulator ## Measure the emulator, and others on this machine, and write docs/performance.md and docs/profiles (needs Linux)
	@$(GO) run ./tools/performance measure $(ARGS)
	@$(GO) run ./tools/performance profiles

lint: toolchain ## Run gofmt, go vet and staticcheck
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "Files are not formatted; run gofmt -w on:"; echo "$$unformatted"; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

build: toolchain ## Build bin/tabletop, a static binary
	@$(call compile,$(BIN),.)

emulator: toolchain ## Build bin/tabletop-emulator, only the emulator: smaller and faster to build
	@$(call compile,$(EMULATOR),./cmd/tabletop-emulator)

console: ## Build the web console's pages again (needs Node 20.19 and npm; the built pages are committed)
	@command -v npm >/dev/null || { echo "make console needs npm: install Node 20.19 or newer"; exit 1; }
	cd emulator/internal/webconsole/ui && npm ci --silent && npm test && npm run build

pictures: build ## Take the pictures of the README again (needs Chromium)
	@[ -f reports/features/index.html ] || $(MAKE) features
	$(GO) run ./tools/pictures

docs: ## Build the documentation as a site with search, in bin/docs, and check its links (needs Node 20.19 and npm)
	@command -v npm >/dev/null || { echo "make docs needs npm: install Node 20.19 or newer"; exit 1; }
	cd docs/site && npm ci --silent && npm run build

# compile builds a program, and shows how many packages it has compiled, if these are many. Its last line is the status
# of go build, because sh does not report that of the first command of a pipe.
define compile
[ -x $(1) ] || echo "Building $(1); the first build downloads and compiles modules, which takes a minute or two"; \
{ $(GO) build -v -ldflags '$(LDFLAGS)' -o $(1) $(2) 2>&1; echo "status=$$?"; } | { done=0; all=; \
while read -r line; do case $$line in \
	status=*) exit $${line#status=} ;; \
	*' '* | '') echo "$$line" ;; \
	*) done=$$((done + 1)); [ $$((done % 50)) -ne 0 ] || { : $${all:=$$($(GO) list -deps $(2) | wc -l)}; \
		echo "  $$done of at most $$all packages compiled"; } ;; \
esac; done; exit 1; }
endef

image: toolchain ## Build the container images of the emulator and of tabletop up (needs Docker; pulls nothing)
	@command -v docker >/dev/null || { echo "make image needs Docker: install it and start its engine"; exit 1; }
	@mkdir -p bin/image/data
	@GOOS=linux $(GO) build -ldflags '$(LDFLAGS)' -o bin/image/ . ./cmd/tabletop-emulator
	docker build --quiet --tag $(IMAGE) .
	docker build --quiet --target up --tag $(UP_IMAGE) .

snapshot: toolchain ## Check the release configuration, and build a release in bin/release that is not published
	$(GO) run $(GORELEASER) check
	$(GO) run $(GORELEASER) release --snapshot --clean --skip=docker $(ARGS)

ci: ## Run the checks of CI (needs Debian and root: it installs packages)
	bash .ci/run

nightly: ## Run the checks that take hours, such as all fuzz targets and 1,000 kills (needs what CI needs)
	bash .ci/nightly

toolchain:
	@command -v $(GO) >/dev/null || { echo "Tabletop needs Go 1.26 or newer: see https://go.dev/dl, then run make again"; exit 1; }
