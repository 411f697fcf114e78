package extensions

import (
	"cmp"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/console"
)

// Config configures the extensions.
type Config struct {
	Reports string // folder of the reports of earlier runs, and of those that the console starts; required
	Program string // the program that children run; default: this one

	Simulations []Simulation // that the console can start, if the command runs backends: see SetBackend
	Fleet       bool         // the command runs a fleet of simulated devices: see ReportFleet
	Pushes      bool         // the command runs a push gateway: see SetGateway
}

// Emulator is the running emulator, as a target.
type Emulator struct {
	DynamoDBURL string
	CosmosURL   string // empty: Cosmos DB is off
	CosmosKey   string
	Identities  bool // requests need an access key of a user
}

// Extensions are the extensions of one emulator's console. They are safe for concurrent use.
type Extensions struct {
	cfg      Config
	emulator atomic.Pointer[Emulator]
	jobs     jobs
	load     atomic.Pointer[loadRun] // the latest that the console has started; nil: none yet
	specs    atomic.Pointer[specsRun]

	gateway    atomic.Pointer[gatewayAt] // nil: not started
	backend    atomic.Pointer[Backend]   // nil: not started
	fleet      fleetLog
	simulation atomic.Pointer[simulationRun] // the latest that the console has started; nil: none yet
}

// New returns extensions. Call SetEmulator once the emulator has started, and Close before it is closed. Errors: this
// program's file is unknown, so that it cannot start children.
func New(cfg Config) (*Extensions, error) {
	if cfg.Program == "" {
		program, err := os.Executable()
		if err != nil {
			return nil, err
		}
		cfg.Program = program
	}
	folder, err := filepath.Abs(cmp.Or(cfg.Reports, "reports")) // a later change of the folder does not matter
	cfg.Reports = folder
	return &Extensions{cfg: cfg, jobs: jobs{program: cfg.Program}}, err
}

// SetEmulator sets the running emulator.
func (x *Extensions) SetEmulator(e Emulator) { x.emulator.Store(&e) }

// Close stops the child, if there is one, and waits for its end. No other is started.
func (x *Extensions) Close() { x.jobs.close() }

// List returns the extensions.
func (x *Extensions) List() []console.Extension {
	list := []console.Extension{{Name: "load", Handler: x.loadHandler()}, {Name: "specs", Handler: x.specsHandler()}}
	if len(x.cfg.Simulations) > 0 {
		list = append(list, console.Extension{Name: "simulations", Handler: x.simulationsHandler()})
	}
	if x.cfg.Pushes {
		list = append(list, console.Extension{Name: "pushes", Handler: x.pushesHandler()})
	}
	return list
}

// running returns the emulator. Errors: it has not responded yet.
func (x *Extensions) running() (Emulator, error) {
	if e := x.emulator.Load(); e != nil {
		return *e, nil
	}
	return Emulator{}, &problem{http.StatusServiceUnavailable, errors.New("the emulator is starting: try again")}
}
