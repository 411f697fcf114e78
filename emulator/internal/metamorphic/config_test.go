package metamorphic

import (
	"io"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
)

// config is one configuration of the emulator.
type config struct {
	name                          string
	disk, reopens, restores, lags bool
	concurrent, moves, observed   bool
	encrypted, relocates          bool
	more                          []emulator.Option
}

// configs returns all configurations; the others are compared with the first.
func configs() []config {
	return []config{
		{name: "memory"},
		{name: "disk", disk: true},
		{name: "reopened", disk: true, reopens: true},
		{name: "snapshots", restores: true},
		{name: "snapshots into other emulators", relocates: true},
		{name: "moving clock", moves: true},
		{name: "lag", lags: true, more: []emulator.Option{emulator.WithLikeCloud(emulator.Lag)}},
		{name: "conflicts that nobody meets", more: []emulator.Option{emulator.WithLikeCloud(emulator.Conflicts)}},
		{name: "throttling that nobody reaches", more: []emulator.Option{emulator.WithLikeCloud(emulator.Throttling)}},
		{name: "isolation", more: []emulator.Option{emulator.WithIsolation()}},
		{name: "many connections", concurrent: true},
		{name: "many connections with lag on disk", concurrent: true, lags: true, disk: true,
			more: []emulator.Option{emulator.WithLikeCloud(emulator.Lag)}},
		{name: "observed", observed: true, more: []emulator.Option{emulator.WithRecording(io.Discard),
			emulator.WithShowCost("")}},
		{name: "customer's key", encrypted: true},
		{name: "customer's key, reopened", encrypted: true, disk: true, reopens: true},
	}
}

// options returns the options of an emulator whose clock starts at now.
func (c config) options(now time.Time) []emulator.Option {
	if c.moves {
		return append([]emulator.Option{emulator.WithClockStart(now), emulator.WithSpeed(0.001)}, c.more...)
	}
	return append([]emulator.Option{emulator.WithManualClock(now)}, c.more...)
}

// prepare sets faults in an observed emulator that match no request.
func (c config) prepare(e *emulator.Emulator) error {
	if !c.observed {
		return nil
	}
	for _, action := range []emulator.FaultAction{emulator.DoInternalError, emulator.DoStale} {
		if _, err := e.Fail(emulator.Fault{Name: "never " + string(action), Do: action, Probability: 1e-18}); err != nil {
			return err
		}
	}
	return nil
}
