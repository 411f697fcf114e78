package page

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/measure"
	"github.com/tabletop-db/tabletop/tools/performance/server"
	"github.com/tabletop-db/tabletop/tools/performance/suite"
)

func result(workload, name string, cpu time.Duration) measure.Result {
	return measure.Result{Workload: workload, Server: name, Floor: name == "floor", CPU: cpu, Requests: 1000,
		Throughput: 12345, P50: time.Millisecond}
}

func document() *Document {
	get, put := result("get", suite.Emulator, 40*time.Microsecond), result("put", suite.Emulator, 50*time.Microsecond)
	broken := measure.Result{Workload: "get", Server: "dynalite", Problem: "get: status 500"}
	return &Document{Date: time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC), Commit: "abcdef0123", Processor: "a processor",
		CPUs: 2, System: "Linux 6", Go: "go1.26", Results: &suite.Results{
			Duration: 5 * time.Minute,
			Memory:   []measure.Result{result("get", "floor", 20*time.Microsecond), get, broken},
			Durable:  []measure.Result{put},
			Starts:   []suite.Start{{Server: suite.Emulator, Service: "DynamoDB", Median: 12 * time.Millisecond}},
			Sizes: []suite.Size{{Server: suite.Emulator, Items: 1000, ResidentBytes: 30 << 20, Results: []measure.Result{get}},
				{Server: suite.Emulator, Items: 200_000, ResidentBytes: 300 << 20, Results: []measure.Result{get}}},
			Missing: []server.Peer{server.Peers()[1]},
			Broken:  []string{"DynamoDB Local: no\nresponse"},
		}}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "profiles"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"profiles/get.txt": "top",
		"performance-sizes.json": `[{"items":10000,"open_ms":12,"get_cpu_ms_per_1000":40,"put_cpu_ms_per_1000":80,
			"command":"go run it","date":"2026-11-27","commit":"abc"},{"items":10000000,"open_ms":300,"get_rps":20000,
			"command":"go run the rest","concurrent":[{"work":"index","seconds":60,"rps":5000,"p99_ms":8.1,"max_ms":31}]}]`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := document().Write(folder); err != nil {
		t.Fatal(err)
	}
	page := read(t, filepath.Join(folder, "performance.md"))
	for _, want := range []string{
		"| commit | abcdef0123 |", "5 minutes",
		"| µs of CPU per request | floor | tabletop | × floor | dynalite |", "| get | 20 | 40 | 2.00 | – |",
		"get on dynalite: `get: status 500`", "| get | tabletop | 12,345 |",
		"| µs of CPU per request | tabletop |\n", "| tabletop | DynamoDB | 12 |",
		"| tabletop | 200,000 | 300 | 0 | 40 |", "| 10,000,000 | 0 | 300 |",
		"- `go run it` (commit abc, 2026-11-27)\n- `go run the rest`", "| index | 10,000,000 | 60 | 5,000 | 0 | 8.1 | 31 |",
		"[get](profiles/get.txt)", "| Dynoxide | `cargo install dynoxide-rs` | not installed |",
		"Left out: DynamoDB Local: no response",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %q", want)
		}
	}
	// every picture of the page exists in both themes, and is well-formed
	pictures := regexp.MustCompile(`pictures/[a-z-]+\.svg`).FindAllString(page, -1)
	if len(pictures) != 10 {
		t.Errorf("the page has %d files of pictures", len(pictures))
	}
	for _, name := range pictures {
		checkXML(t, read(t, filepath.Join(folder, name)))
	}
	if svg := read(t, filepath.Join(folder, "pictures/performance-workloads-dark.svg")); !strings.Contains(svg, ">2×<") {
		t.Error("the chart has no label for twice the floor")
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func checkXML(t *testing.T, text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestSaveAndRead checks that a saved document gives the same page.
func TestSaveAndRead(t *testing.T) {
	t.Parallel()
	d, file := document(), filepath.Join(t.TempDir(), "results.json")
	if err := d.Save(file); err != nil {
		t.Fatal(err)
	}
	again, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if want, got := d.markdown(nil), again.markdown(nil); got != want {
		t.Errorf("another page:\n%s", got)
	}
}

func TestAxis(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ most, end, step float64 }{{97, 100, 20}, {4.2, 5, 1}, {1000, 1000, 200}, {0.5, 0.5, 0.1}} {
		if end, step := axis(c.most); end != c.end || step != c.step {
			t.Errorf("axis of %g ends at %g with steps of %g, not %g and %g", c.most, end, step, c.end, c.step)
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{0.123: "0.123", 4.567: "4.57", 45.67: "45.7", 456.7: "457", 1184.4: "1184",
		12_000: "12k", 1_500_000: "1.5M"} {
		if got := short(v); got != want {
			t.Errorf("%g is %s, not %s", v, got, want)
		}
	}
}

// TestBarsBelowOne checks that a bar for a value below 1 ends where the others begin.
func TestBarsBelowOne(t *testing.T) {
	t.Parallel()
	svg := drawBars(themes()[0], "title", "unit", []string{"a"}, []barGroup{{"x", []float64{0.5}}, {"y", []float64{2}}})
	checkXML(t, svg)
	bars := regexp.MustCompile(`<rect x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)" height="13.0"`).FindAllStringSubmatch(svg, -1)
	if len(bars) != 2 {
		t.Fatalf("%d bars", len(bars))
	}
	half, double := bars[0], bars[1]
	if half[1] != "150.0" || half[2] != double[2] || double[1] != "440.0" {
		t.Errorf("a half is at %s, %s wide; double is at %s, %s wide", half[1], half[2], double[1], double[2])
	}
}
