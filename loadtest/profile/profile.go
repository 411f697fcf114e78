package profile

import (
	"fmt"
	"time"
)

// Profile is one documented load and what must hold under it.
type Profile struct {
	ID         string     `yaml:"id" json:"id"`
	System     string     `yaml:"system" json:"system"` // a name of systems.go; of a built-in profile its folder, elsewhere telemetry by default
	Title      string     `yaml:"title" json:"title"`
	Figure     string     `yaml:"figure" json:"figure"`                   // the documented figure, in the document's words
	Method     string     `yaml:"method" json:"method,omitempty"`         // how it is measured
	Unscaled   string     `yaml:"unscaled" json:"unscaled,omitempty"`     // why --rate-scale leaves this profile alone
	LikeCloud  []string   `yaml:"like_cloud" json:"like_cloud,omitempty"` // pieces of the cloud's temperament that the embedded target has
	Autoscale  int        `yaml:"autoscale" json:"autoscale,omitempty"`   // of a backend on Cosmos DB: the most RU/s of each container, which scale by themselves; default 400 RU/s
	Workers    int        `yaml:"workers" json:"workers,omitempty"`       // requests that wait for an answer at once, beyond which the pace slows; default 4000
	Table      Table      `yaml:"table" json:"table,omitzero"`            // of a profile of a table: which one
	Stages     []Stage    `yaml:"stages" json:"stages"`
	Population Population `yaml:"population" json:"population"`
	Mix        []Part     `yaml:"mix" json:"mix"`
	Limits     []Limit    `yaml:"limits" json:"limits"`
	Access     []Access   `yaml:"access" json:"access,omitempty"` // of some kinds of request: how they reach the database, and what that takes
}

// Stage is a rate for a while: constant, a ramp to another one, with a wave on it or without.
type Stage struct {
	WarmUp   bool     `yaml:"warm_up" json:"warm_up,omitempty"` // its requests are in no figure of latency
	Rate     float64  `yaml:"rate" json:"rate"`                 // requests a second
	Duration Duration `yaml:"duration" json:"duration"`
	To       float64  `yaml:"to" json:"to,omitempty"`         // the rate at the end of a ramp; default Rate
	Swing    float64  `yaml:"swing" json:"swing,omitempty"`   // of a sine, above and below the rate
	Period   Duration `yaml:"period" json:"period,omitempty"` // of the sine
}

// Population is how many of what are there before the attack begins, such as 1,000 devices. Each system has names of
// its own.
type Population map[string]int

// Part is one kind of request in the mix.
type Part struct {
	Request string `yaml:"request" json:"request"`           // a kind of the profile's system
	Weight  int    `yaml:"weight" json:"weight"`             // its share is its weight among all weights
	Batch   Range  `yaml:"batch" json:"batch,omitzero"`      // readings or items in a request, for those that carry some; default 1
	Bytes   int    `yaml:"bytes" json:"bytes,omitempty"`     // of an item that is put; default that of the population's
	Monthly int    `yaml:"monthly" json:"monthly,omitempty"` // how often a month has it, for what a month costs
	Only    int    `yaml:"only" json:"only,omitempty"`       // the number, from 1, of the one device, user or item it is about; default all in turn
}

// Limit is what must hold of one metric. AtMost, AtLeast or both are set.
type Limit struct {
	ID      string   `yaml:"id" json:"id"`     // the catalogue entry that it decides
	Metric  string   `yaml:"of" json:"metric"` // a name of metrics.go in package verdict
	AtMost  *float64 `yaml:"at_most" json:"at_most,omitempty"`
	AtLeast *float64 `yaml:"at_least" json:"at_least,omitempty"`
}

// Duration is a time.Duration that is written as 90s, in YAML and JSON.
type Duration time.Duration

// MarshalText writes the duration as Go does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads what time.ParseDuration reads.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// Range is a number or, as a list of two, the least and the most.
type Range struct{ Least, Most int }

func (r Range) String() string {
	if r.Least == r.Most {
		return fmt.Sprint(r.Least)
	}
	return fmt.Sprintf("%d to %d", r.Least, r.Most)
}

// Duration is how long all stages last together.
func (p Profile) Duration() time.Duration {
	var sum time.Duration
	for _, s := range p.Stages {
		sum += time.Duration(s.Duration)
	}
	return sum
}

// Requests is how many requests the stages plan.
func (p Profile) Requests() int {
	var sum float64
	for _, s := range p.Stages {
		sum += s.Requests()
	}
	return whole(sum)
}

// whole is how many requests are due when this many are planned, but for what rounding took.
func whole(planned float64) int { return int(planned + 1e-6) }

// Peak is the number of the stage with the highest mean rate; the documented figures are about it.
func (p Profile) Peak() int {
	peak := 0
	for i, s := range p.Stages {
		if s.Mean() > p.Stages[peak].Mean() {
			peak = i
		}
	}
	return peak
}

// system is what the profile attacks; Parse refuses a profile of none.
func (p Profile) system() system { return systems()[p.System] }

// Kind is that of a request of the mix.
func (p Profile) Kind(request string) Kind { return p.system().kinds[request] }

// OnCosmos reports whether the profile attacks a backend on Cosmos DB.
func (p Profile) OnCosmos() bool { return p.system().cosmos }

// OnDatabase reports whether the profile attacks the database itself, on a table of its own, and not a backend.
func (p Profile) OnDatabase() bool { return p.system().onDatabase }
