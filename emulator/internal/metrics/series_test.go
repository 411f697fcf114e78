package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// noon is the start of a minute, of five minutes and of an hour.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestPercentilesAreNearTheExactOnes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var p Point
	var all []float64
	for range 20_000 {
		v := math.Exp(random.NormFloat64())
		all = append(all, v)
		p.add(v, 1)
	}
	slices.Sort(all)
	for _, q := range []float64{0.1, 25, 50, 90, 99, 99.9, 100} {
		got, _ := p.Percentile(q)
		want := all[int(math.Ceil(q/100*20_000))-1]
		if math.Abs(got-want) > 0.016*want {
			t.Errorf("p%v is %v, want %v", q, got, want)
		}
	}
}

func TestSmallWholeNumbersAreExact(t *testing.T) {
	t.Parallel()
	for v := -63.0; v < 64; v++ {
		if got := (bin{at: binOf(v)}).value(); got != v {
			t.Errorf("the bin of %v stands for %v", v, got)
		}
	}
}

func TestBinsAreInTheOrderOfTheirValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64Range(-1e9, 1e9).Draw(t, "a"), rapid.Float64Range(-1e9, 1e9).Draw(t, "b")
		if a < b && binOf(a) > binOf(b) {
			t.Fatalf("%v comes after %v", a, b)
		}
	})
}

// TestASeriesKeepsItsSums checks that older points are kept coarsely, in bounded memory, and that their sums are right.
func TestASeriesKeepsItsSums(t *testing.T) {
	t.Parallel()
	s := newSeries(ID{}, count, 60, nil)
	const days = 10
	for minute := range days * 24 * 60 {
		s.Observe(noon.Unix()+int64(minute)*60, 1)
	}
	points := map[int64]*Point{}
	s.points(points, noon.Unix(), noon.Unix()+days*86400, 86400)
	for day := range int64(days) {
		if p := points[noon.Unix()+day*86400]; p == nil || p.Sum != 1440 || p.Count != 1440 {
			t.Errorf("day %d has %+v, want 1440 observations", day, p)
		}
	}
	for i, l := range s.levels {
		if len(l.points) > l.limit {
			t.Errorf("level %d keeps %d points, more than %d", i, len(l.points), l.limit)
		}
	}
	if all := s.lifetime(); all.Sum != days*1440 {
		t.Errorf("all that was ever observed is %v, want %v", all.Sum, days*1440)
	}
}

func TestLateObservationsFindTheirMinute(t *testing.T) {
	t.Parallel()
	s := newSeries(ID{}, count, 60, nil)
	for _, second := range []int64{600, 5, 610, 65, 30, 0} {
		s.Observe(noon.Unix()+second, 1)
	}
	points := map[int64]*Point{}
	s.points(points, noon.Unix(), noon.Unix()+3600, 60)
	got := fmt.Sprint(points[noon.Unix()].Count, points[noon.Unix()+60].Count, points[noon.Unix()+600].Count, len(points),
		s.lifetime().Count)
	if got != "3 1 2 3 6" {
		t.Errorf("minutes 0, 1 and 10, the minutes, and the total have %s, want 3 1 2 3 6", got)
	}
}

// TestAGaugeHasASampleEveryFiveMinutesAndAtEachChange checks that no value is lost that was in force for less time.
func TestAGaugeHasASampleEveryFiveMinutesAndAtEachChange(t *testing.T) {
	t.Parallel()
	start := noon.Unix()
	g := &Gauge{unit: count}
	g.set(step{at: start + 60, value: 5})
	g.set(step{at: start + 120, value: 50})
	g.set(step{at: start + 180, value: 10})
	g.set(step{at: start + 180, value: 10})
	g.set(step{at: start + 900, noValue: true})
	points := map[int64]*Point{}
	g.points(points, start, start+3600, 300, start+1000)
	for at, want := range map[int64]string{0: "3 5 50", 300: "1 10 10", 600: "1 10 10"} {
		p := points[start+at]
		if got := fmt.Sprint(p.Count, p.Min, p.Max); got != want {
			t.Errorf("after %d seconds count, least and most are %s, want %s", at, got, want)
		}
	}
	if len(points) != 3 {
		t.Errorf("there are %d points, want 3: none after the table is gone", len(points))
	}
}

func TestRegistryEvictsTheLongestIdleSeries(t *testing.T) {
	t.Parallel()
	r := New(clock.Manual(noon))
	id := func(i int) ID { return NewID("", "Own", fmt.Sprint("metric-", i)) }
	for i := range maxSeries + 1 {
		r.Series(id(i), count).Observe(noon.Unix()+int64(i), 1)
	}
	ids := r.List(func(ID, time.Time) bool { return true })
	if len(ids) > maxSeries {
		t.Errorf("there are %d series, more than %d", len(ids), maxSeries)
	}
	for _, c := range []struct{ i, want int }{{0, 0}, {maxSeries, 1}} {
		if points, _ := r.Points(id(c.i), "", noon, noon.Add(24*time.Hour), time.Hour); len(points) != c.want {
			t.Errorf("metric %d has %d points, want %d", c.i, len(points), c.want)
		}
	}
}

// Of many deleted tables only the metrics that were observed last are kept; those of existing tables stay.
func TestMetricsOfDeletedTablesAreBounded(t *testing.T) {
	t.Parallel()
	r := New(clock.Manual(noon))
	id := func(i int) ID { return tableID("", "Own", fmt.Sprint("table-", i), "") }
	for i := range 2 * maxDeleted {
		r.Series(id(i), count).Observe(noon.Unix()+int64(i), 1)
	}
	r.evictDeleted(tablesOf([]telemetry.Throughput{{Table: "table-0"}}))
	ids := r.List(func(ID, time.Time) bool { return true })
	if len(ids) > maxDeleted {
		t.Errorf("%d metrics are kept, more than %d", len(ids), maxDeleted)
	}
	for i, want := range map[int]bool{0: true, 1: false, 2*maxDeleted - 1: true} {
		if kept := slices.ContainsFunc(ids, func(kept ID) bool { return kept.key() == id(i).key() }); kept != want {
			t.Errorf("the metric of table %d is kept: %v, want %v", i, kept, want)
		}
	}
}
