package fleet

import (
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

var start = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// firstEvents returns the first events of a device, as other packages could see them.
func firstEvents(seed uint64, number, events int) []any {
	p := NewPlan(seed, number, 5*time.Minute, DefaultFailureRates())
	var seen []any
	c := p.Events()
	for range events {
		e := c.Next()
		seen = append(seen, e.At, e.Kind, *e.Boot)
		if e.Kind == Measured {
			seen = append(seen, p.Reading(start, e.At, e.Boot).BatchID)
		}
	}
	return seen
}

func TestPlanIsAFunctionOfSeedAndNumber(t *testing.T) {
	t.Parallel()
	if !slices.Equal(firstEvents(1, 42, 2000), firstEvents(1, 42, 2000)) {
		t.Error("one seed and number gave two plans")
	}
	if slices.Equal(firstEvents(1, 42, 20), firstEvents(2, 42, 20)) || slices.Equal(firstEvents(1, 42, 20),
		firstEvents(1, 43, 20)) {
		t.Error("two devices have the same plan")
	}
}

func TestEventsAreInOrder(t *testing.T) {
	t.Parallel()
	for n := range 50 {
		p := NewPlan(3, n, 5*time.Minute, DefaultFailureRates())
		c := p.Events()
		last := c.Next()
		if last.Kind != Booted || last.At != p.Phase {
			t.Fatalf("device %d begins with %v at %v", n, last.Kind, last.At)
		}
		for readings := 0; readings < 2000; {
			e := c.Next()
			if e.At < last.At {
				t.Fatalf("device %d: %v after %v", n, e, last)
			}
			if e.Kind == Measured {
				readings++
				if want := p.Phase + time.Duration(readings)*p.Interval; e.At != want {
					t.Fatalf("device %d: reading %d at %v, want %v", n, readings, e.At, want)
				}
			}
			last = e
		}
	}
}

func TestIdentifiersAreAsDocumented(t *testing.T) {
	t.Parallel()
	mac := regexp.MustCompile(`^[0-9A-F]{2}(:[0-9A-F]{2}){5}$`)
	uuid4 := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	for n := range MaxDevices {
		p := NewPlan(5, n, 5*time.Minute, DefaultFailureRates())
		b := p.Events().Next().Boot
		if !mac.MatchString(p.HardwareID) || !uuid4.MatchString(b.ID) || seen[p.HardwareID] || seen[b.ID] {
			t.Fatalf("device %d: %s %s", n, p.HardwareID, b.ID)
		}
		seen[p.HardwareID], seen[b.ID] = true, true
	}
}

func TestReadingsArePlausible(t *testing.T) {
	t.Parallel()
	limits := map[string][2]float64{"bme280_temp_c": {-5, 40}, "ds18b20_temp_c": {5, 27}, "humidity_pct": {15, 100},
		"pressure_hpa": {1000, 1026}, "soil_moisture_pct": {0, 100}}
	var night, day float64
	for n := range 20 {
		p := NewPlan(9, n, 5*time.Minute, FailureRates{})
		b := p.Events().Next().Boot
		for at := time.Duration(0); at < 72*time.Hour; at += time.Hour {
			r := p.Reading(start, at, b)
			for name, v := range r.Sensors {
				if l, known := limits[name]; !known || v < l[0] || v > l[1] {
					t.Errorf("%s is %v", name, v)
				}
			}
			switch at % (24 * time.Hour) {
			case 3 * time.Hour:
				night += r.Sensors["bme280_temp_c"]
			case 15 * time.Hour:
				day += r.Sensors["bme280_temp_c"]
			}
		}
	}
	if (day-night)/60 < 8 {
		t.Errorf("a day is only %.1f degrees warmer than a night", (day-night)/60)
	}
}

func TestClockMeetsRealTimeAtTheEnd(t *testing.T) {
	t.Parallel()
	now := start
	cfg := Config{Duration: 24 * time.Hour, Speed: 300}.withDefaults(now)
	c := sim.Pace{Start: cfg.Start, RealStart: now, Speed: cfg.Speed}
	if end := now.Add(c.Wait(cfg.Duration, now)); !cfg.Start.Add(cfg.Duration).Equal(end) ||
		end.Sub(now) != 288*time.Second {
		t.Errorf("the run starts at %v and ends at %v", cfg.Start, end)
	}
	open := Config{Speed: 300}.withDefaults(now)
	c = sim.Pace{Start: open.Start, RealStart: now, Speed: open.Speed}
	if got := c.Wait(headStart+72*time.Hour, now.Add(48*time.Hour)); got != 24*time.Hour {
		t.Errorf("having caught up, the next day is %v away", got)
	}
}
