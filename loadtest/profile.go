package loadtest

import (
	"fmt"
	"time"
)

// Profile is one documented load and what must hold under it.
type Profile struct {
	ID         string     `yaml:"id" json:"id"`
	Title      string     `yaml:"title" json:"title"`
	Figure     string     `yaml:"figure" json:"figure"`               // the documented figure, in the document's words
	Unscaled   string     `yaml:"unscaled" json:"unscaled,omitempty"` // why --rate-scale leaves this profile alone
	Workers    int        `yaml:"workers" json:"workers,omitempty"`   // requests that wait for an answer at once, beyond which the pace slows; default 4000
	Stages     []Stage    `yaml:"stages" json:"stages"`
	Population Population `yaml:"population" json:"population"`
	Mix        []Part     `yaml:"mix" json:"mix"`
	Limits     []Limit    `yaml:"limits" json:"limits"`
}

// Stage is a constant rate for a while.
type Stage struct {
	Rate     float64  `yaml:"rate" json:"rate"` // requests a second
	Duration Duration `yaml:"duration" json:"duration"`
}

// Population is what is there before the attack begins.
type Population struct {
	Items    int `yaml:"items" json:"items,omitempty"` // of a table, which the attack is on then, and not a backend
	Bytes    int `yaml:"bytes" json:"bytes,omitempty"` // of each of these items
	Devices  int `yaml:"devices" json:"devices"`       // registered
	Keys     int `yaml:"keys" json:"keys"`             // API keys, which the requests present in turn
	Readings int `yaml:"readings" json:"readings"`     // of each device
}

// Part is one kind of request in the mix.
type Part struct {
	Request string `yaml:"request" json:"request"`       // a name of requests.go
	Weight  int    `yaml:"weight" json:"weight"`         // its share is its weight among all weights
	Batch   Range  `yaml:"batch" json:"batch"`           // readings or items in a request, for those that carry some; default 1
	Bytes   int    `yaml:"bytes" json:"bytes,omitempty"` // of an item that is put; default that of the population's
	Device  int    `yaml:"device" json:"device"`         // the number, from 1, of the one device it is about; default all in turn
}

// Limit is what must hold of one metric. Exactly one of AtMost and AtLeast is set.
type Limit struct {
	ID      string   `yaml:"id" json:"id"`     // the catalogue entry that it decides
	Metric  string   `yaml:"of" json:"metric"` // a name of metrics.go
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

// onTable reports whether the attack is on a table of its own, in place of a backend.
func (p Profile) onTable() bool { return p.Population.Items > 0 }

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
		sum += s.requests()
	}
	return whole(sum)
}

func (s Stage) requests() float64 { return s.Rate * time.Duration(s.Duration).Seconds() }

// whole is how many requests are due when this many are planned, but for what rounding took.
func whole(planned float64) int { return int(planned + 1e-6) }

// peak is the number of the stage with the highest rate; the documented figures are about it.
func (p Profile) peak() int {
	peak := 0
	for i, s := range p.Stages {
		if s.Rate > p.Stages[peak].Rate {
			peak = i
		}
	}
	return peak
}

// Quick returns the profile squeezed into this duration (0 leaves it) and scaled to this share of its rates (0 or 1
// leaves them). A tenth of the rate meets a tenth of the devices, so that each device is as busy as documented, and
// limits on rates scale along.
func (p Profile) Quick(duration time.Duration, scale float64) Profile {
	stages := append([]Stage(nil), p.Stages...)
	if duration > 0 {
		squeeze := float64(duration) / float64(p.Duration())
		for i := range stages {
			stages[i].Duration = Duration(max(time.Duration(float64(stages[i].Duration)*squeeze).Round(time.Millisecond), time.Millisecond))
		}
	}
	p.Stages = stages
	if scale <= 0 || scale == 1 || p.Unscaled != "" {
		return p
	}
	for i := range stages {
		stages[i].Rate *= scale
	}
	if !p.onTable() {
		p.Population.Devices = max(p.busiest(), int(float64(p.Population.Devices)*scale))
	}
	p.Limits = append([]Limit(nil), p.Limits...)
	for i, l := range p.Limits {
		if metrics[l.Metric].scales && l.AtLeast != nil {
			scaled := *l.AtLeast * scale
			p.Limits[i].AtLeast = &scaled
		}
	}
	return p
}

// busiest is the highest number of a device that the mix names, at least 1.
func (p Profile) busiest() int {
	n := 1
	for _, part := range p.Mix {
		n = max(n, part.Device)
	}
	return n
}

func (r Range) String() string {
	if r.Least == r.Most {
		return fmt.Sprint(r.Least)
	}
	return fmt.Sprintf("%d to %d", r.Least, r.Most)
}
