// Package control is the interface between an emulator and its console: what the console shows and controls, and who
// may use it. The HTTP servers, which need more libraries, are in packages of their own (admin and scrape): an emulator
// without them is smaller and starts sooner.
package control

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/internal/model/heatmap"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// Path is the path prefix of the admin API.
const Path = "/_tabletop"

// ConsolePath is the path of the web console, which has all paths below it.
const ConsolePath = Path + "/console/"

// ConsoleUserAgent names the web console in its requests to the services.
const ConsoleUserAgent = "tabletop-console"

// BackupSizeHeader is the header of a backup's response that holds the total size of its files in bytes.
const BackupSizeHeader = "Tabletop-Backup-Bytes"

// Emulator is the emulator that a console shows and controls.
type Emulator struct {
	Guard      Guard
	Version    string
	Logger     *slog.Logger // nil: nothing is logged
	About      func() About
	Clock      Clock
	State      State
	Backup     func(context.Context) (*store.Backup, error) // prepares a copy of the data folder
	Recorder   Recorder
	Faults     *faults.Injector
	Usage      UsageRecorder
	Heat       func() []heatmap.Table // by partition and minute
	Identities *identity.Service
	Metrics    []prometheus.Collector

	Connections func() Connections
	AWS         http.Handler // DynamoDB and the other services on its port
	History     http.Handler // earlier states of DynamoDB's tables; a path is the name of an operation
	// CosmosHistory serves earlier states of Cosmos DB's containers; a path is the name of an operation. nil: it is off.
	CosmosHistory http.Handler
	Cosmos        http.Handler // Cosmos DB, which signs the requests itself; nil: it is off
	// ResourcePolicy returns the policy of DynamoDB's table or stream of an ARN, or nil.
	ResourcePolicy func(arn string) *iam.Policy
	// Observe makes an observer see what happens from now on, in place of the previous one; nil: nobody watches.
	Observe func(*Observer)
}

// Console serves programs and people at a running emulator.
type Console struct {
	Admin   http.Handler // all paths under Path, except those of Web
	Metrics http.Handler // for Prometheus
	Web     http.Handler // the web console: Path itself, and all paths under ConsolePath; nil: none
	Close   func()       // ends the responses of Web that have no end by themselves; nil: there are none
}

// NoConsole returns the console of an emulator without one.
func NoConsole() Console {
	missing := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		WriteProblem(w, http.StatusNotFound, r.URL.Path+" does not exist: start the emulator with console.Option()")
	})
	return Console{Admin: missing, Metrics: missing}
}

// Clock is the clock that a console controls.
type Clock interface {
	Now() time.Time
	Frozen() bool
	Speed() float64
	Freeze()
	Resume()
	SetSpeed(factor float64) error
	AdvanceContext(ctx context.Context, d time.Duration) error
}

// UsageRecorder measures the usage of the emulator, and resets it when a run begins.
type UsageRecorder interface {
	Usage() cost.Usage
	Begin()
}

// WriteProblem responds with problem details (RFC 9457).
func WriteProblem(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(struct { // fails only when the client has left
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
	}{http.StatusText(status), status, detail})
}
