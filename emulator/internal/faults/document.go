package faults

import (
	"fmt"
	"time"
)

// Document is a rule in the form of a file and of the admin API: its durations and times are texts.
type Document struct {
	Name         string   `yaml:"name" json:"name,omitempty" maxLength:"128" doc:"Of its own; without one it gets one" example:"lost answers"`
	Operations   []string `yaml:"operations" json:"operations,omitempty" doc:"Which operations, * standing for anything; without any, all" example:"[\"PutItem\"]"`
	Tables       []string `yaml:"tables" json:"tables,omitempty" doc:"Which tables, * standing for anything; without any, all" example:"[\"orders\"]"`
	PartitionKey string   `yaml:"partitionKey" json:"partitionKey,omitempty" doc:"Which partition key: a string, a number, or binary in base64"`
	SortKey      string   `yaml:"sortKey" json:"sortKey,omitempty" doc:"Which sort key, beside the partition key"`
	Identities   []string `yaml:"identities" json:"identities,omitempty" doc:"Whose requests: access keys, users, roles or ARNs, * standing for anything; without any, all"`
	Do           string   `yaml:"do" json:"do" enum:"throttle,internal-error,unavailable,delay,hold,stale,cut-before-commit,cut-after-commit,unprocessed" doc:"What happens" example:"cut-after-commit"`
	Latency      string   `yaml:"latency" json:"latency,omitempty" doc:"How long the request waits; of delay and hold all that happens" example:"20ms"`
	LatencyP99   string   `yaml:"latencyP99" json:"latencyP99,omitempty" doc:"Latency is the median, and one in a hundred waits longer than this" example:"200ms"`
	RealTime     bool     `yaml:"realTime" json:"realTime,omitempty" doc:"Wait on the machine's clock, not on the emulator's"`
	Members      int      `yaml:"members" json:"members,omitempty" doc:"Of unprocessed: how many members of a batch come back"`
	Fraction     float64  `yaml:"fraction" json:"fraction,omitempty" doc:"Of unprocessed: what part of a batch comes back"`
	Probability  float64  `yaml:"probability" json:"probability,omitempty" doc:"With what chance, by the emulator's seed; without one, always" example:"0.1"`
	Skip         int      `yaml:"skip" json:"skip,omitempty" doc:"How many requests pass first"`
	Every        int      `yaml:"every" json:"every,omitempty" doc:"Only every third, for 3"`
	Times        int      `yaml:"times" json:"times,omitempty" doc:"How many times in all; without it, without end" example:"1"`
	From         string   `yaml:"from" json:"from,omitempty" doc:"When it begins, RFC 3339, on the emulator's clock" example:"2026-11-21T12:00:00Z"`
	Until        string   `yaml:"until" json:"until,omitempty" doc:"When it ends, likewise"`
	For          string   `yaml:"for" json:"for,omitempty" doc:"How long it lasts, from when it begins or is set" example:"10m"`
}

// Rule parses the document. The rule is not checked yet.
func (d *Document) Rule() (Rule, error) {
	r := Rule{
		Name: d.Name, Operations: d.Operations, Tables: d.Tables, PartitionKey: d.PartitionKey, SortKey: d.SortKey, Identities: d.Identities,
		Do: Action(d.Do), RealTime: d.RealTime, Members: d.Members, Fraction: d.Fraction,
		Probability: d.Probability, Skip: d.Skip, Every: d.Every, Times: d.Times,
	}
	for _, f := range []struct {
		name, text string
		to         *time.Duration
	}{{"latency", d.Latency, &r.Latency}, {"latencyP99", d.LatencyP99, &r.LatencyP99}, {"for", d.For, &r.For}} {
		if f.text == "" {
			continue
		}
		duration, err := time.ParseDuration(f.text)
		if err != nil {
			return r, fmt.Errorf("%s %q: write a duration as 20ms, 1.5s or 10m", f.name, f.text)
		}
		*f.to = duration
	}
	for _, f := range []struct {
		name, text string
		to         *time.Time
	}{{"from", d.From, &r.From}, {"until", d.Until, &r.Until}} {
		if f.text == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, f.text)
		if err != nil {
			return r, fmt.Errorf("%s %q: write a time as 2026-11-21T12:00:00Z", f.name, f.text)
		}
		*f.to = at
	}
	return r, nil
}

// DocumentOf converts a rule to a document.
func DocumentOf(r Rule) Document {
	return Document{
		Name: r.Name, Operations: r.Operations, Tables: r.Tables, PartitionKey: r.PartitionKey, SortKey: r.SortKey, Identities: r.Identities,
		Do: string(r.Do), Latency: duration(r.Latency), LatencyP99: duration(r.LatencyP99), RealTime: r.RealTime,
		Members: r.Members, Fraction: r.Fraction, Probability: r.Probability, Skip: r.Skip, Every: r.Every, Times: r.Times,
		From: timestamp(r.From), Until: timestamp(r.Until), For: duration(r.For),
	}
}

func duration(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

func timestamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
