package loadtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

const small = `id: TL-L1
title: t
figure: f
stages: [{rate: 4, duration: 20s}]
population: {devices: 10, keys: 1, readings: 1}
mix: [{request: ingest, weight: 1, batch: [1, 100]}]
limits: [{id: TL-L1, of: p99_ms, at_most: 5}]
`

func TestParse(t *testing.T) {
	t.Parallel()
	p, err := Parse("small.yaml", []byte(small))
	if err != nil || p.Mix[0].Batch != (profile.Range{Min: 1, Max: 100}) || p.Requests() != 80 ||
		*p.Limits[0].AtMost != 5 {
		t.Errorf("%v, %+v", err, p)
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ from, to, want string }{
		{"title: t", "titel: t", "line 2: field titel is unknown in a profile"},
		{"weight: 1", "wait: 1", "line 6: field wait is unknown in a part"},
		{"title: t", "title: t\ntitle: u", "already defined"},
		{"20s", "20", "line 4: \"20\" is not a duration; use one such as 90s"},
		{"title: t", "title: t\nsystem: radio", "unknown system \"radio\"; use one of "},
		{"keys: 1", "kys: 1", "unknown kys in telemetry; use devices, keys, readings"},
		{"rate: 4", "rate: .nan", "stage 1: rate NaN: must be more than 0"},
		{"rate: 4", "rate: -1", "stage 1: rate -1: must be more than 0"},
		{"duration: 20s", "duration: 25h", "at most 24h"},
		{"stages: [{rate: 4, duration: 20s}]", "stages: []", "stage: needs at least one"},
		{"duration: 20s", "duration: 20s, warm_up: true", "stage: needs at least one without warm_up"},
		{"devices: 10", "devices: 10001", "must be 1 to 10000"},
		{"keys: 1", "keys: 0", "must be 1 to 1000"},
		{"readings: 1", "readings: -1", "must be 0 to 10000"},
		{"request: ingest", "request: inject", "unknown request \"inject\" of telemetry; use one of device, devices, ingest"},
		{"request: ingest", "request: latest", "a latest request has no batch"},
		{"readings: 1}\nmix: [{request: ingest", "readings: 0}\nmix: [{request: latest", "a latest request needs readings"},
		{"weight: 1", "weight: 0", "must be 1 to 1000000"},
		{"weight: 1", "weight: 1, only: 11", "the population has 10 devices"},
		{"[1, 100]", "[1, 101]", "line 6: a batch must be a number from 1 to 100"},
		{"[1, 100]", "0", "line 6: a batch must be a number from 1 to 100"},
		{"of: p99_ms", "of: p98_ms", "unknown metric \"p98_ms\"; use one of "},
		{"at_most: 5", "at_most: .inf", "a limit must be a number from 0"},
		{"at_most: 5", "", "needs at_most, at_least or both"},
		{"at_most: 5", "at_most: 5, at_least: 6", "at_most 5 is less than at_least 6"},
		{"id: TL-L1, of", "id: L1, of", "must be the catalogue entry"},
		{"id: TL-L1\ntitle", "id: x\ntitle", "must be like TL-L2"},
		{"limits:", "---\nlimits:", "remove everything after ---"},
		{"at_most: 5}]\n", "at_most: 5}]\n---\nmore\n", "remove everything after ---"},
	} {
		text := strings.Replace(small, test.from, test.to, 1)
		_, err := Parse("p.yaml", []byte(text))
		if text == small || err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(),
			"p.yaml: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s -> %s:\ngot  %v\nwant %s, in one line", test.from, test.to, err, test.want)
		}
	}
}

func TestParseEmptyFile(t *testing.T) {
	t.Parallel()
	if _, err := Parse("empty.yaml", nil); err == nil || !strings.Contains(err.Error(), "empty.yaml: id") {
		t.Error(err)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	all, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"SV-L1", "SV-L2", "TL-D5", "TL-L1", "TL-L2", "TL-L2-extreme", "TL-L3", "TL-L4"} {
		if p, err := Find(want); err != nil || p[0].ID != want {
			t.Error(want, err)
		}
	}
	for _, p := range all {
		if p.Method == "" {
			t.Errorf("%s has no method", p.ID)
		}
	}
	if p, err := Find("PE-C2", "PE-L1"); err != nil || len(p) != 1 || p[0].ID != "PE-L1" {
		t.Errorf("the profile that decides PE-C2: %v, %v", p, err)
	}
	if _, err := Find("TL-L9"); err == nil || !strings.Contains(err.Error(), "TL-L2-extreme, TL-L3") {
		t.Error(err)
	}
	if _, err := Find("none.yaml"); err == nil {
		t.Error("a missing file was read")
	}
	name := filepath.Join(t.TempDir(), "own.yaml")
	if err := os.WriteFile(name, []byte(small), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := Find(name); err != nil || p[0].Title != "t" {
		t.Error(p, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(small)
	all, err := Profiles()
	if err != nil {
		f.Fatal(err)
	}
	f.Add("id: *a\nmix: &a [*a]")
	for range all {
		f.Add(small + "unscaled: why\n")
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("p.yaml", []byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
			return
		}
		if p.Requests() < 0 || p.Duration() <= 0 {
			t.Errorf("accepted %+v", p)
		}
	})
}
