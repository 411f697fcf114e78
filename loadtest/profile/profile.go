package profile

import (
	"fmt"
	"time"
)

// Profile is one documented load, with the limits that must hold under it.
type Profile struct {
	ID string `yaml:"id" json:"id"`
	// a name from systems.go; default: the profile's folder if it is a system, else telemetry
	System string `yaml:"system" json:"system"`
	Title  string `yaml:"title" json:"title"`
	Figure string `yaml:"figure" json:"figure"`           // the documented figure, in the document's words
	Method string `yaml:"method" json:"method,omitempty"` // how it is measured
	// why --rate-scale does not apply to this profile
	Unscaled string `yaml:"unscaled" json:"unscaled,omitempty"`
	// cloud behaviours to enable on the embedded target
	LikeCloud []string `yaml:"like_cloud" json:"like_cloud,omitempty"`
	// for a backend on Cosmos DB: autoscale maximum of each container; default 400 RU/s, manual
	Autoscale int `yaml:"autoscale" json:"autoscale,omitempty"`
	// maximum requests under way, beyond which the pace slows; default 4000
	Workers    int        `yaml:"workers" json:"workers,omitempty"`
	Table      Table      `yaml:"table" json:"table,omitzero"` // for a profile of a table: the table
	Stages     []Stage    `yaml:"stages" json:"stages"`
	Population Population `yaml:"population" json:"population"`
	Mix        []Part     `yaml:"mix" json:"mix"`
	Limits     []Limit    `yaml:"limits" json:"limits"`
	// for some kinds of request: their calls to the database and the units they consume
	Access []Access `yaml:"access" json:"access,omitempty"`
}

// Stage is a rate for some time: constant, or a ramp to another rate, with or without a sine wave on top.
type Stage struct {
	WarmUp   bool     `yaml:"warm_up" json:"warm_up,omitempty"` // its requests do not count for latency
	Rate     float64  `yaml:"rate" json:"rate"`                 // requests per second
	Duration Duration `yaml:"duration" json:"duration"`
	To       float64  `yaml:"to" json:"to,omitempty"`         // the rate at the end of a ramp; default Rate
	Swing    float64  `yaml:"swing" json:"swing,omitempty"`   // amplitude of a sine around the rate
	Period   Duration `yaml:"period" json:"period,omitempty"` // period of the sine
}

// Population is the number of entities of each type that exist before the attack begins, such as 1,000 devices. The
// types differ by system.
type Population map[string]int

// Part is one kind of request in the mix.
type Part struct {
	Request string `yaml:"request" json:"request"`      // a kind of the profile's system
	Weight  int    `yaml:"weight" json:"weight"`        // its share is its weight divided by the sum of weights
	Batch   Range  `yaml:"batch" json:"batch,omitzero"` // readings or items in a request that carries some; default 1
	// size of an item to put; default that of the population's items
	Bytes   int `yaml:"bytes" json:"bytes,omitempty"`
	Monthly int `yaml:"monthly" json:"monthly,omitempty"` // number of requests per month, for the monthly cost
	// number, from 1, of the one device, user or item to use; default all in turn
	Only int `yaml:"only" json:"only,omitempty"`
}

// Limit is the limit on one metric. AtMost, AtLeast or both are set.
type Limit struct {
	ID      string   `yaml:"id" json:"id"`     // the catalogue entry that it decides
	Metric  string   `yaml:"of" json:"metric"` // a name from metrics.go in package verdict
	AtMost  *float64 `yaml:"at_most" json:"at_most,omitempty"`
	AtLeast *float64 `yaml:"at_least" json:"at_least,omitempty"`
}

// Duration is a time.Duration that is written like 90s in YAML and JSON.
type Duration time.Duration

// MarshalText returns the duration in the format of time.Duration.String.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads a duration in the format of time.ParseDuration.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// Range is a number, or a list of the minimum and the maximum.
type Range struct {
	Min int `json:"Least"`
	Max int `json:"Most"`
}

func (r Range) String() string {
	if r.Min == r.Max {
		return fmt.Sprint(r.Min)
	}
	return fmt.Sprintf("%d to %d", r.Min, r.Max)
}

// Duration returns the total duration of all stages.
func (p Profile) Duration() time.Duration {
	var sum time.Duration
	for _, s := range p.Stages {
		sum += time.Duration(s.Duration)
	}
	return sum
}

// Requests returns the number of requests that the stages plan.
func (p Profile) Requests() int {
	var sum float64
	for _, s := range p.Stages {
		sum += s.Requests()
	}
	return wholeRequests(sum)
}

// wholeRequests returns the number of whole requests in a planned number, with a tolerance for rounding errors.
func wholeRequests(planned float64) int { return int(planned + 1e-6) }

// Peak returns the number of the stage with the highest mean rate. The documented figures apply to it.
func (p Profile) Peak() int {
	peak := 0
	for i, s := range p.Stages {
		if s.Mean() > p.Stages[peak].Mean() {
			peak = i
		}
	}
	return peak
}

// system returns the system that the profile attacks. Parse rejects a profile with an unknown one.
func (p Profile) system() system { return systems()[p.System] }

// Kind returns the kind of a request of the mix.
func (p Profile) Kind(request string) Kind { return p.system().kinds[request] }

// OnCosmos reports whether the profile attacks a backend on Cosmos DB.
func (p Profile) OnCosmos() bool { return p.system().cosmos }

// OnDatabase reports whether the profile attacks the database itself, on a table of its own, and not a backend.
func (p Profile) OnDatabase() bool { return p.system().onDatabase }
