package loadtest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/traffic"
	"github.com/tabletop-db/tabletop/loadtest/usage"
)

// TestBuiltInProfilesOnATable checks that every built-in profile of a table runs on the emulator, is charged for its
// requests, and leaves nothing behind.
func TestBuiltInProfilesOnATable(t *testing.T) {
	t.Parallel()
	profiles, err := loadtest.Profiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range profiles {
		if !p.OnDatabase() {
			continue
		}
		t.Run(p.ID, func(t *testing.T) {
			t.Parallel()
			p.Population["items"] = 200
			r, err := loadtest.Run(t.Context(), loadtest.Config{Profile: p,
				Database: &traffic.Database{AWS: emulator.Run(t).AWSConfig(), Prefix: "t-"},
				Meter:    &usage.Meter{}, Duration: 100 * time.Millisecond, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if p.Mix[0].Only > 0 {
				return // profiles of a single item, whose size differs
			}
			if r.Requests == 0 || r.Errors != 0 || r.Unprocessed != 0 || len(r.Kinds) != 2 {
				t.Fatalf("%d requests, errors %v, %d unprocessed, kinds %v", r.Requests, r.ErrorTexts, r.Unprocessed, r.Kinds)
			}
			reads, writes := float64(r.Kinds[0].Requests)*float64(p.Mix[1].Batch.Max), float64(r.Kinds[1].Requests)*25
			if c := r.Consumed[0]; c.ReadUnits != reads || c.WriteUnits != writes {
				t.Errorf("charged %v read and %v write units for %v and %v items of 4 KB and 1 KB", c.ReadUnits,
					c.WriteUnits, reads, writes)
			}
		})
	}
}

// TestProfilesOfTablesAreChecked checks that each invalid setting in a profile of a table is reported in one line.
func TestProfilesOfTablesAreChecked(t *testing.T) {
	t.Parallel()
	const head = "id: SV-L9\nsystem: table\ntitle: t\nfigure: f\nstages: [{rate: 1, duration: 1s}]\nlimits: [{id: SV-L9, of: p99_ms, at_most: 1}]\n"
	for text, want := range map[string]string{
		"population: {items: 10, bytes: 3}\nmix: [{request: get, weight: 1}]":                    "population: 3 bytes: must be 15 to 409600",
		"population: {items: 10, bytes: 100, devices: 2}\nmix: [{request: get, weight: 1}]":      "unknown devices in table; use bytes, items",
		"population: {items: 10, bytes: 100}\nmix: [{request: ingest, weight: 1}]":               `unknown request "ingest" of table; use one of batch-get, batch-put, get, put`,
		"population: {items: 10, bytes: 100}\nmix: [{request: batch-put, weight: 1, batch: 26}]": "takes a batch of at most 25",
		"population: {items: 10, bytes: 100}\nmix: [{request: batch-get, weight: 1, batch: 11}]": "cannot read more items than the population has",
		"population: {items: 10, bytes: 100}\nmix: [{request: get, weight: 1, bytes: 200}]":      "a get request has no item size",
		"population: {items: 99999999, bytes: 100}\nmix: [{request: get, weight: 1}]":            "99999999 items: must be 1 to 10000000",
		"population: {items: 10, bytes: 100}\nmix: [{request: get, weight: 1, only: 11}]":        "only 11: must be from 1; the population has 10 items",
		"population: {items: 10, bytes: 100}\nmix: [{request: get, weight: 0}]":                  "weight 0",
	} {
		_, err := loadtest.Parse("p.yaml", []byte(head+text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	_, err := loadtest.Run(t.Context(),
		loadtest.Config{Profile: mustParse(t, head+"population: {items: 10, bytes: 100}\nmix: [{request: get, weight: 1}]"),
			BaseURL: "http://127.0.0.1:1", AdminToken: "x"})
	if err == nil || !strings.Contains(err.Error(), "SV-L9 attacks a table; set a target") {
		t.Errorf("without a database: %v", err)
	}
}

func mustParse(t *testing.T, text string) profile.Profile {
	t.Helper()
	p, err := loadtest.Parse("p.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
