package faults

import (
	"fmt"
	"time"
)

// Document is a rule in the form of a file and of the admin API: its durations and times are texts.
type Document struct {
	Name         string   `yaml:"name" json:"name,omitempty" maxLength:"128" doc:"Unique name; generated if omitted" example:"lost responses"`
	Operations   []string `yaml:"operations" json:"operations,omitempty" doc:"Operations to match; * is a wildcard; default: all" example:"[\"PutItem\"]"`
	Tables       []string `yaml:"tables" json:"tables,omitempty" doc:"Tables to match; * is a wildcard; default: all" example:"[\"orders\"]"`
	PartitionKey string   `yaml:"partitionKey" json:"partitionKey,omitempty" doc:"Partition key value to match: a string, a number, or binary in base64"`
	SortKey      string   `yaml:"sortKey" json:"sortKey,omitempty" doc:"Sort key value to match; requires partitionKey"`
	Identities   []string `yaml:"identities" json:"identities,omitempty" doc:"Callers to match: access keys, users, roles or ARNs; * is a wildcard; default: all"`
	Do           string   `yaml:"do" json:"do" enum:"throttle,internal-error,unavailable,delay,hold,stale,cut-before-commit,cut-after-commit,unprocessed,conflict,short-page,redeliver,clock-jump,expired-token,restart" doc:"Action of the fault" example:"cut-after-commit"`
	Latency      string   `yaml:"latency" json:"latency,omitempty" doc:"How long the request waits before the action; required for delay and hold, which only wait. For clock-jump: how far the clock moves" example:"20ms"`
	LatencyP99   string   `yaml:"latencyP99" json:"latencyP99,omitempty" doc:"99th percentile of the wait; latency is then the median" example:"200ms"`
	RealTime     bool     `yaml:"realTime" json:"realTime,omitempty" doc:"Wait on the machine's clock instead of the emulator's"`
	Members      int      `yaml:"members" json:"members,omitempty" doc:"For unprocessed: number of batch members to return as unprocessed"`
	Fraction     float64  `yaml:"fraction" json:"fraction,omitempty" doc:"For unprocessed: fraction of the batch to return as unprocessed"`
	Probability  float64  `yaml:"probability" json:"probability,omitempty" doc:"Probability that the fault applies, random by the emulator's seed; default: 1" example:"0.1"`
	Skip         int      `yaml:"skip" json:"skip,omitempty" doc:"Number of matching requests to skip first"`
	Every        int      `yaml:"every" json:"every,omitempty" doc:"Apply to every n-th matching request, such as 3 for every third"`
	Times        int      `yaml:"times" json:"times,omitempty" doc:"Maximum number of times to apply; default: no limit" example:"1"`
	From         string   `yaml:"from" json:"from,omitempty" doc:"Start time in RFC 3339, by the emulator's clock" example:"2026-11-21T12:00:00Z"`
	Until        string   `yaml:"until" json:"until,omitempty" doc:"End time in RFC 3339, by the emulator's clock"`
	For          string   `yaml:"for" json:"for,omitempty" doc:"Duration, counted from the start time or from when the fault is added" example:"10m"`
}

// Rule parses the document. The rule is not checked yet.
func (d *Document) Rule() (Rule, error) {
	r := Rule{
		Name: d.Name, Operations: d.Operations, Tables: d.Tables, PartitionKey: d.PartitionKey, SortKey: d.SortKey,
		Identities: d.Identities,
		Do:         Action(d.Do), RealTime: d.RealTime, Members: d.Members, Fraction: d.Fraction,
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
		Name: r.Name, Operations: r.Operations, Tables: r.Tables, PartitionKey: r.PartitionKey, SortKey: r.SortKey,
		Identities: r.Identities,
		Do:         string(r.Do), Latency: duration(r.Latency), LatencyP99: duration(r.LatencyP99), RealTime: r.RealTime,
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
