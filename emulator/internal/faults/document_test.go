package faults_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/emulator/internal/faults"
)

func TestDocumentsRoundTripToRules(t *testing.T) {
	t.Parallel()
	r := faults.Rule{
		Name: "n", Operations: []string{"PutItem"}, Tables: []string{"t"}, PartitionKey: "p", SortKey: "s",
		Identities: []string{"i"},
		Do:         faults.Unprocessed, Latency: 20 * time.Millisecond, LatencyP99: time.Second, RealTime: true,
		Members: 2, Fraction: 0.5,
		Probability: 0.1, Skip: 1, Every: 2, Times: 3, From: noon, Until: noon.Add(time.Hour), For: time.Minute,
	}
	if v := reflect.ValueOf(r); true {
		for n := range v.NumField() {
			if v.Field(n).IsZero() {
				t.Errorf("the test forgets %s", v.Type().Field(n).Name)
			}
		}
	}
	d := faults.DocumentOf(r)
	got, err := d.Rule()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("faults:\n  - do: throttle\n    operations: [Put*]\n    every: 3\n")
	f.Add("faults: [{do: delay, latency: 20ms, from: 2026-11-21T12:00:00Z, for: 10m}]")
	f.Add("faults:\n- do: unprocessed\n  fraction: .5\n- {}\n")
	f.Add("a: &a [*a]\nfaults: *a")
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := faults.Read("f.yaml", []byte(text))
		if err != nil {
			return
		}
		for _, r := range rules {
			if err := r.Check(); err != nil {
				t.Errorf("a rule was read that is wrong: %v", err)
			}
		}
	})
}
