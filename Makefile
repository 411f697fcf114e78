# Tabletop needs Go and make. Docker, Java with Maven, and a browser are extras: the targets that use them say so.

GO          ?= go
VERSION     := $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
LDFLAGS     := -s -w -X github.com/tabletop-db/tabletop/internal/util/version.linked=$(VERSION)
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
IMAGE       ?= tabletop-db/tabletop:latest
DESK_IMAGE  ?= tabletop-db/tabletop-desk:latest
TARGET      ?= embedded
REPORTS     ?= reports
BIN         := bin/tabletop$(if $(filter Windows_NT,$(OS)),.exe)
EMULATOR    := bin/tabletop-emulator$(if $(filter Windows_NT,$(OS)),.exe)
# More flags for the command behind a target: make up ARGS='--devices 50'
ARGS        ?=

export CGO_ENABLED ?= 0
# One set of flags for programs, tests and checks: with others Go would compile every package again.
export GOFLAGS := $(strip $(GOFLAGS) $(if $(findstring -trimpath,$(GOFLAGS)),,-trimpath))

.DEFAULT_GOAL := help
.PHONY: help up down test-local test features mutants load bench lint build emulator image ci nightly toolchain

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: build ## Run emulator, backends, push gateway and 1,000 simulated devices until Ctrl-C
	@mkdir -p bin && echo $$$$ > bin/up.pid && exec ./$(BIN) up $(ARGS)

down: ## Stop what `make up` started in another terminal
	@pid=$$(cat bin/up.pid 2>/dev/null) && ps -p "$$pid" -o args= 2>/dev/null | grep -q 'tabletop.* up' \
		|| { rm -f bin/up.pid; echo "nothing to stop: make up is not running here"; exit 0; }; \
	kill -TERM "$$pid"; while kill -0 "$$pid" 2>/dev/null; do sleep 0.2; done; rm -f bin/up.pid; echo "stopped"

# TestFeatures runs the same scenarios as the command below, which also writes their report. The tests are
# linked without tables for a debugger, and not vetted: make lint does that.
test-local: build ## Unit tests and all specs, here, with nothing but Go
	@echo "Unit tests: each package is printed when its tests are done"
	@$(GO) test -vet=off -ldflags '-s -w' -skip '^TestFeatures$$' $$($(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...)
	@echo "Specs of the service and of every backend on the embedded emulator"
	@./$(BIN) features --target embedded $(ARGS)

test: ## Every Go test with the race detector, in random order (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -tags pebblegozstd -shuffle=on ./...

features: build ## Specs against TARGET (embedded, url=…, dynamodb-local, aws, cosmos=…, azure)
	@./$(BIN) features --target '$(TARGET)' $(ARGS)

mutants: toolchain ## Small mistakes in the backends, one after the other: each must be caught by a scenario or a verdict
	@$(GO) run ./features/mutants/gate $(ARGS)

load: build ## Load profiles against TARGET, with a verdict for each documented rate
	@./$(BIN) loadtest run --target '$(TARGET)' $(ARGS)

bench: ## Benchmarks of the hot paths, with allocation counts
	$(GO) test -run '^$$' -bench . -benchmem ./emulator/...

lint: toolchain ## gofmt, go vet, staticcheck
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "gofmt -w these:"; echo "$$unformatted"; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

build: toolchain ## Build bin/tabletop, a static binary
	@$(call compile,$(BIN),.)

emulator: toolchain ## Build bin/tabletop-emulator, the emulator alone, which is smaller and faster to build
	@$(call compile,$(EMULATOR),./cmd/tabletop-emulator)

# compile builds a program. The first time it tells how far it is.
define compile
[ ! -x $(1) ] || { $(GO) build -ldflags '$(LDFLAGS)' -o $(1) $(2); exit; }; \
echo "Building $(1); the first time downloads modules and compiles them, which takes a minute or two"; \
all=$$($(GO) list -deps $(2) | wc -l); \
$(GO) build -v -ldflags '$(LDFLAGS)' -o $(1) $(2) 2>&1 | { done=0; while read -r line; do case $$line in \
	*' '* | '') echo "$$line" ;; \
	*) done=$$((done + 1)); [ $$((done % 50)) -ne 0 ] || echo "  $$done of $$all packages are compiled" ;; \
esac; done; }; [ -x $(1) ]
endef

image: toolchain ## Build the images of the emulator and of the whole desk (needs Docker; pulls nothing)
	@command -v docker >/dev/null || { echo "make image needs Docker: install it and start its engine"; exit 1; }
	@mkdir -p bin/image/data
	@GOOS=linux $(GO) build -ldflags '$(LDFLAGS)' -o bin/image/ . ./cmd/tabletop-emulator
	docker build --quiet --tag $(IMAGE) .
	docker build --quiet --target desk --tag $(DESK_IMAGE) .

ci: ## What the project's CI runs (needs Debian and root: it installs what it uses)
	bash .ci/run

nightly: ## What takes hours: a hundred times the seeds, all fuzz targets, a thousand kills, full load profiles
	bash .ci/nightly

toolchain:
	@command -v $(GO) >/dev/null || { echo "Tabletop needs Go 1.26 or newer: see https://go.dev/dl, then run make again"; exit 1; }
