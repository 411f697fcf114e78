package loadtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/tabletop-db/tabletop/loadtest/traffic"
	"github.com/tabletop-db/tabletop/loadtest/usage"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Merge adds the measurements of all shards of a run, given in any order: the sum is that of one generator that got the
// same responses. Errors: there are none, they are of different runs, or a shard is missing or there twice.
func Merge(parts []*Measurements) (*Measurements, error) {
	ordered, err := inOrder(parts)
	if err != nil {
		return nil, err
	}
	sum := *ordered[0] // the first shard has what only one measures
	sum.Requests, sum.System, sum.DynamoDB = newCounts(sum.Profile), traffic.Observations{}, usage.Usage{}
	for _, p := range ordered {
		sum.Requests.add(&p.Requests)
		sum.System.Add(p.System)
		sum.DynamoDB.Add(p.DynamoDB)
	}
	return &sum, nil
}

// inOrder returns the shards of one run in order of their numbers, and checks that all are there once.
func inOrder(parts []*Measurements) ([]*Measurements, error) {
	if len(parts) == 0 {
		return nil, errors.New("no measurements of shards: run the load profile with --shard first")
	}
	first := parts[0]
	for _, p := range parts {
		switch {
		case p.Run != first.Run || p.Shard.Of != first.Shard.Of || p.Profile.ID != first.Profile.ID || p.Seed != first.Seed:
			return nil, fmt.Errorf("shard %v of %s and shard %v of %s are of different runs: merge only the files of one run",
				first.Shard, first.Profile.ID, p.Shard, p.Profile.ID)
		case len(p.Requests.Stages) != len(p.Profile.Stages):
			return nil, fmt.Errorf("shard %v of %s is damaged: run it again", p.Shard, p.Profile.ID)
		}
	}
	return sim.InOrder(parts, func(m *Measurements) sim.Shard { return m.Shard }, first.Profile.ID)
}

// ReadMeasurements reads the file that a shard wrote.
func ReadMeasurements(name string) (*Measurements, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read the measurements of a shard: %w; name the --shard-dir of tabletop loadtest run, "+
			"or files in it", err)
	}
	var m Measurements
	if err := json.Unmarshal(text, &m); err != nil || m.Run == "" {
		return nil, fmt.Errorf("%s was not written by tabletop loadtest run --shard of this version: use its files", name)
	}
	return &m, nil
}
