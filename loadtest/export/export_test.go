package export_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/loadtest/export"
	"github.com/tabletop-db/tabletop/loadtest/profile"
)

var began = time.UnixMilli(1_700_000_000_000)

// record exports a run with these stages: a hundred requests per second, each sent 5 ms after it was due and answered
// 10 ms later, except for one in a hundred, which takes a second.
func record(t *testing.T, stages ...profile.Stage) (folder string, results int) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "exports")
	r, err := export.Create(folder, profile.Profile{ID: "TL-L1", Stages: stages})
	if err != nil {
		t.Fatal(err)
	}
	r.Begin(began)
	for stage, s := range stages {
		for range int(time.Duration(s.Duration).Seconds() * 100) {
			one := &vegeta.Result{Attack: "TL-L1", Seq: uint64(results), Code: 200, Method: "GET",
				URL:       "http://x/a!b#device!id%20secret",
				Timestamp: began.Add(time.Duration(results)*10*time.Millisecond + 5*time.Millisecond),
				Latency:   10 * time.Millisecond,
				Body:      []byte("answer"), Headers: http.Header{"Authorization": {"Bearer secret"}}}
			if results%100 == 50 {
				one.Latency = time.Second
			}
			r.Add(one, 5*time.Millisecond, stage)
			results++
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return folder, results
}

func stage(warmUp bool, seconds time.Duration) profile.Stage {
	return profile.Stage{Rate: 100, Duration: profile.Duration(seconds * time.Second), WarmUp: warmUp}
}

func read(t *testing.T, folder, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestVegetaReadsTheResults checks that Vegeta's own decoder finds every result, with its latency from when it was due,
// and no secret.
func TestVegetaReadsTheResults(t *testing.T) {
	t.Parallel()
	folder, results := record(t, stage(true, 1), stage(false, 2))
	text := read(t, folder, "TL-L1.vegeta")
	if bytes.Contains(text, []byte("secret")) || bytes.Contains(text, []byte("answer")) {
		t.Error("a credential or a body is in the export")
	}
	decoder := vegeta.DecoderFor(bytes.NewReader(text))
	if decoder == nil {
		t.Fatal("Vegeta does not know the encoding")
	}
	var m vegeta.Metrics
	for {
		var one vegeta.Result
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if one.URL != "http://x/a!b#device" {
			t.Fatalf("the URL is %s", one.URL)
		}
		m.Add(&one)
	}
	m.Close()
	if m.Requests != uint64(results) || !m.Earliest.Equal(began) || m.Latencies.Max != 1005*time.Millisecond ||
		m.Latencies.Min != 15*time.Millisecond {
		t.Errorf("%d of %d requests, from %v, %+v", m.Requests, results, m.Earliest, m.Latencies)
	}
}

// TestHdrHistogramReadsTheLogs checks that HdrHistogram's own reader finds the intervals of each log, and that their
// counts add up to the requests that the file covers.
func TestHdrHistogramReadsTheLogs(t *testing.T) {
	t.Parallel()
	folder, _ := record(t, stage(true, 1), stage(false, 3))
	for name, want := range map[string]int64{"TL-L1": 300, "TL-L1-stage-1": 100, "TL-L1-stage-2": 300} {
		log := hdrhistogram.NewHistogramLogReader(bytes.NewReader(read(t, folder, name+".hlog")))
		sum, intervals, last := int64(0), 0, int64(0)
		for {
			h, err := log.NextIntervalHistogram()
			if err != nil {
				t.Fatal(err)
			}
			if h == nil {
				break
			}
			if h.StartTimeMs() <= last || h.EndTimeMs()-h.StartTimeMs() != 1000 ||
				(h.StartTimeMs()-began.UnixMilli())%1000 != 0 {
				t.Errorf("%s: interval from %d to %d after %d", name, h.StartTimeMs(), h.EndTimeMs(), last)
			}
			sum, intervals, last = sum+h.TotalCount(), intervals+1, h.StartTimeMs()
		}
		if sum != want || intervals < int(want/100) || intervals > int(want/100)+2 {
			t.Errorf("%s: %d requests in %d intervals, want %d", name, sum, intervals, want)
		}
	}
}

// TestPercentilesIncludeAllRequests checks that the percentiles include all requests and are in milliseconds.
func TestPercentilesIncludeAllRequests(t *testing.T) {
	t.Parallel()
	folder, _ := record(t, stage(true, 1), stage(false, 2))
	for name, want := range map[string]string{"TL-L1": "200", "TL-L1-stage-1": "100", "TL-L1-stage-2": "200"} {
		text := string(read(t, folder, name+".hgrm"))
		if !strings.Contains(text, "Total count    =") || !strings.Contains(strings.Join(strings.Fields(text), " "),
			"Total count = "+want+"]") {
			t.Errorf("%s:\n%s", name, text)
		}
		_, text, _ = strings.Cut(text, "\n\n") // skip the heading
		w := strings.Fields(text)
		if ms, err := strconv.ParseFloat(w[0], 64); err != nil || ms < 14.9 || ms > 15.1 || w[1] != "0.000000" {
			t.Errorf("%s: the least is %s ms, at %s", name, w[0], w[1])
		}
	}
}

// TestSingleStageHasNoFiles checks that a profile with one stage has no file for the stage, which would repeat the
// whole run's.
func TestSingleStageHasNoFiles(t *testing.T) {
	t.Parallel()
	folder, _ := record(t, stage(false, 1))
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 3 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestCreateErrors(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := export.Create(name, profile.Profile{ID: "TL-L1"}); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}
