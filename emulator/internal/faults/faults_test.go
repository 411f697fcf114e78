package faults_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// TestRules checks which rules apply to which requests. "rules" sets them, from a file; "ask" has a line per request:
// the operation, the caller, and its tables and items, TABLE or TABLE/PARTITION or TABLE/PARTITION/SORT each; it prints
// the verdict. "advance" moves the clock, "list" prints the rules' counts.
func TestRules(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/rules", func(t *testing.T, path string) {
		t.Parallel()
		c := clock.Manual(noon)
		i := faults.New(c, 1, func() func() { return func() {} })
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "rules":
				return setRules(t, i, d.Input)
			case "ask":
				return ask(i, d.Input)
			case "advance":
				by, err := time.ParseDuration(d.Input)
				if err == nil {
					err = c.Advance(by)
				}
				if err != nil {
					t.Fatal(err)
				}
				return ""
			case "list":
				return list(i)
			}
			t.Fatalf("unknown %s", d.Cmd)
			return ""
		})
	})
}

func setRules(t *testing.T, i *faults.Injector, text string) string {
	t.Helper()
	i.Clear()
	rules, err := faults.Read("faults.yaml", []byte(text))
	if err != nil {
		return err.Error() + "\n"
	}
	for _, r := range rules {
		if _, err := i.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	return ""
}

func ask(i *faults.Injector, text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		s := &faults.Request{Operation: words[0], Callers: strings.Split(words[1], ","), HoldsItems: true}
		s.Eventual = words[0] == "Query" || words[0] == "GetItem"
		s.Batch = strings.HasPrefix(words[0], "Batch")
		for _, touch := range words[2:] {
			parts := append(strings.Split(touch, "/"), "", "")
			s.Resources = append(s.Resources, faults.Resource{Table: parts[0], Partition: parts[1], Sort: parts[2]})
		}
		v := i.Apply(s)
		fmt.Fprintf(&out, "%s: %s\n", strings.TrimSpace(line), describe(v))
	}
	return out.String()
}

func describe(v faults.Effect) string {
	var did []string
	for _, p := range v.Before {
		did = append(did, fmt.Sprintf("wait %v", faults.Length(p)))
	}
	for _, p := range v.Holding {
		did = append(did, fmt.Sprintf("hold %v", faults.Length(p)))
	}
	if v.Refuse != "" {
		did = append(did, string(v.Refuse))
	}
	if v.Stale {
		did = append(did, "stale")
	}
	if v.Restart {
		did = append(did, "restart")
	}
	if v.LoseResponse {
		did = append(did, "lose the answer")
	}
	if v.Unprocessed != nil {
		did = append(did, fmt.Sprintf("undone %v", v.Unprocessed))
	}
	if did == nil {
		return "nothing"
	}
	return strings.Join(did, ", ")
}

func list(i *faults.Injector) string {
	var out strings.Builder
	for _, s := range i.List() {
		fmt.Fprintf(&out, "%s: %s, %d of %d\n", s.Name, s.Do, s.Hits, s.Matched)
	}
	return out.String()
}

func newInjector() (*faults.Injector, *clock.Clock, *int) {
	c, kept := clock.Manual(noon), new(int)
	return faults.New(c, 1, func() func() { *kept++; return func() { *kept-- } }), c, kept
}

func TestNamesAreUnique(t *testing.T) {
	t.Parallel()
	i, _, _ := newInjector()
	for n, want := range []string{"fault-1", "fault-2", "mine", "fault-4"} {
		r := faults.Rule{Do: faults.Throttle}
		if n == 2 {
			r.Name = "mine"
		}
		if name, err := i.Add(r); name != want || err != nil {
			t.Errorf("rule %d is %q, %v", n, name, err)
		}
	}
	if _, err := i.Add(faults.Rule{Name: "mine", Do: faults.Throttle}); err == nil {
		t.Error("a second rule has the same name")
	}
	if _, err := i.Add(faults.Rule{Do: "melt"}); err == nil {
		t.Error("an unknown action is set")
	}
	if i.Remove("mine") != nil || i.Remove("mine") == nil {
		t.Error("a rule is removed once")
	}
	if n := i.Clear(); n != 3 || i.Active() {
		t.Errorf("%d are cleared, on is %v", n, i.Active())
	}
}

func TestRemovingTheLastRuleTurnsOff(t *testing.T) {
	t.Parallel()
	i, _, kept := newInjector()
	name, err := i.Add(faults.Rule{Do: faults.Stale})
	if err != nil || !i.Active() || *kept != 1 {
		t.Fatalf("on is %v, %d kept, %v", i.Active(), *kept, err)
	}
	if err := i.Remove(name); err != nil || i.Active() || *kept != 0 {
		t.Errorf("on is %v, %d kept, %v", i.Active(), *kept, err)
	}
}

func TestRulesAreBounded(t *testing.T) {
	t.Parallel()
	i, _, _ := newInjector()
	var err error
	for n := 0; n < 1000 && err == nil; n++ {
		_, err = i.Add(faults.Rule{Do: faults.Throttle})
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err = i.Add(faults.Rule{Do: faults.Throttle}); err == nil {
		t.Error("more than 1000 rules are set")
	}
}

func TestWaitsEndByTheClockTheCallerOrRelease(t *testing.T) {
	t.Parallel()
	i, c, _ := newInjector()
	if _, err := i.Add(faults.Rule{Do: faults.Delay, Latency: time.Hour}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	for name, end := range map[string]func(){
		"the clock":  func() { _ = c.Advance(time.Hour) },
		"the caller": cancel,
		"a release":  func() { i.Release()() },
	} {
		v := i.Apply(&faults.Request{Operation: "GetItem"})
		over := make(chan struct{})
		go func() {
			defer close(over)
			if name == "the caller" {
				i.Wait(ctx, v.Before)
			} else {
				i.Wait(context.WithoutCancel(ctx), v.Before)
			}
		}()
		await.True(t, "a request waits", func() bool { return i.List()[0].Waiting > 0 })
		end()
		<-over
	}
	resume := i.Release()
	i.Wait(t.Context(), i.Apply(&faults.Request{Operation: "GetItem"}).Before) // does not wait
	resume()
}

func TestRealTimeWaitsPassOnAClockThatStandsStill(t *testing.T) {
	t.Parallel()
	i, _, _ := newInjector()
	if _, err := i.Add(faults.Rule{Do: faults.Delay, Latency: time.Millisecond, RealTime: true}); err != nil {
		t.Fatal(err)
	}
	i.Wait(t.Context(), i.Apply(&faults.Request{Operation: "GetItem"}).Before)
}

// TestProbabilityIsReproducibleBySeed checks that a tenth is a tenth, and the same tenth each time.
func TestProbabilityIsReproducibleBySeed(t *testing.T) {
	t.Parallel()
	runs := make([]string, 2)
	for n := range runs {
		i, _, _ := newInjector()
		if _, err := i.Add(faults.Rule{Do: faults.Throttle, Probability: 0.1}); err != nil {
			t.Fatal(err)
		}
		hits := 0
		for range 2000 {
			hit := i.Apply(&faults.Request{Operation: "GetItem"}).Refuse != ""
			runs[n] += fmt.Sprint(hit)
			if hit {
				hits++
			}
		}
		if hits < 150 || hits > 250 {
			t.Errorf("%d of 2000 go wrong", hits)
		}
	}
	if runs[0] != runs[1] {
		t.Error("two runs are different")
	}
}

func TestLatencyHasItsMedianAndItsTail(t *testing.T) {
	t.Parallel()
	i, _, _ := newInjector()
	if _, err := i.Add(faults.Rule{Do: faults.Delay, Latency: 20 * time.Millisecond,
		LatencyP99: 200 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	const n = 10_000
	below, beyond := 0, 0
	for range n {
		switch wait := faults.Length(i.Apply(&faults.Request{}).Before[0]); {
		case wait < 20*time.Millisecond:
			below++
		case wait > 2*time.Second:
			t.Fatalf("one waits %v", wait)
		case wait > 200*time.Millisecond:
			beyond++
		}
	}
	if below < n*48/100 || below > n*52/100 || beyond < n*5/1000 || beyond > n*15/1000 {
		t.Errorf("%d of %d wait less than the median, %d longer than the 99th percentile", below, n, beyond)
	}
}
