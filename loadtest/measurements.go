package loadtest

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/invariants"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/traffic"
	"github.com/tabletop-db/tabletop/loadtest/usage"
	"github.com/tabletop-db/tabletop/loadtest/verdict"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Measurements is what a run, or one shard of it, measured. Every figure of a report is computed from it. Merge adds
// the measurements of the shards of a run.
type Measurements struct {
	Shard      sim.Shard       `json:"shard"`
	Run        string          `json:"run"` // the same for all shards of a run, different for each run
	Profile    profile.Profile `json:"profile"`
	Target     string          `json:"target"`
	Version    string          `json:"version"`
	Started    time.Time       `json:"started"`
	Seed       uint64          `json:"seed"`
	Scale      float64         `json:"scale"` // of the population
	Shortened  string          `json:"shortened,omitempty"`
	NotApplied string          `json:"not_applied,omitempty"`

	Requests counts               `json:"requests"`
	System   traffic.Observations `json:"system"`
	DynamoDB usage.Usage          `json:"dynamodb"`

	// Measured by the first shard only.
	Stored     []result.Stored    `json:"stored,omitempty"`     // before the attack
	Sizes      []result.Size      `json:"sizes,omitempty"`      // before the attack
	Heat       []result.Heat      `json:"heat,omitempty"`       // of the whole run, as if it took one second
	Invariants *CheckedInvariants `json:"invariants,omitempty"` // nil: not checked
}

// CheckedInvariants is the result of checking invariants after the attack.
type CheckedInvariants struct {
	Checked int                `json:"checked"`
	Broken  []invariants.Break `json:"broken,omitempty"`
}

// Report computes the figures and decides the limits.
func (m *Measurements) Report() (*result.Report, error) {
	r := &result.Report{Profile: m.Profile, Target: m.Target, Version: m.Version, Started: m.Started, Seed: m.Seed,
		Shortened: m.Shortened, NotApplied: m.NotApplied, Stored: m.Stored, Sizes: m.Sizes}
	m.Requests.report(m.Profile, r)
	for _, h := range m.Heat {
		r.Heat = append(r.Heat, h.Over(r.Seconds))
	}
	m.DynamoDB.AddTo(r)
	r.Consumed = m.DynamoDB.Consumed(r.Seconds)
	m.System.Report(m.Profile, r)
	var err error
	if r.Cost, err = verdict.Price(r); err != nil {
		return nil, err
	}
	if r.Documents, err = verdict.DocumentCosts(r, m.Scale); err != nil {
		return nil, err
	}
	r.Verdicts = verdict.Evaluate(r)
	if m.Invariants != nil {
		verdict.AddInvariants(r, m.Invariants.Checked, m.Invariants.Broken)
	}
	return r, nil
}
