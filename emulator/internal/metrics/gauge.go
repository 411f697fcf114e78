package metrics

import "sync"

// Gauge is a setting that holds until it is changed. The service publishes such metrics every five minutes, so a gauge
// has a sample every five minutes, and one at each change, so that a value in force for less time is not lost. It is
// safe for concurrent use.
type Gauge struct {
	id       ID
	unit     string
	notifier *changeNotifier

	mu    sync.Mutex
	steps []step
}

// step is a value from a second on, or none after the resource was deleted.
type step struct {
	at      int64
	value   float64
	noValue bool
}

// maxSteps is the number of changes that are kept.
const maxSteps = 1000

// Set sets the value from a second since 1970 on. Setting the same value again changes nothing.
func (g *Gauge) Set(at int64, value float64) { g.set(step{at: at, value: value}) }

// End ends the value at a second since 1970.
func (g *Gauge) End(at int64) { g.set(step{at: at, noValue: true}) }

func (g *Gauge) set(s step) {
	if g.setQuietly(s) {
		g.notifier.notify(g.id)
	}
}

// setQuietly is set without notification. It reports whether something changed.
func (g *Gauge) setQuietly(s step) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if n := len(g.steps); n > 0 && g.steps[n-1].value == s.value && g.steps[n-1].noValue == s.noValue {
		return false
	}
	if len(g.steps) == 0 && s.noValue {
		return false
	}
	if len(g.steps) == maxSteps {
		g.steps = g.steps[:copy(g.steps, g.steps[maxSteps/4:])]
	}
	g.steps = append(g.steps, s)
	return true
}

// points is Series.points; now is the second up to which there are samples.
func (g *Gauge) points(dst map[int64]*Point, from, to, period, now int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	to = min(to, now+1)
	for i, s := range g.steps {
		end := to
		if i+1 < len(g.steps) {
			end = min(end, g.steps[i+1].at)
		}
		if s.noValue || s.at >= to || end <= from {
			continue
		}
		if s.at >= from {
			sample(dst, from, period, s.at, s.value)
		}
		first := max(s.at+1, from)
		for at := first + (fiveMinutes-first%fiveMinutes)%fiveMinutes; at < end; at += fiveMinutes {
			sample(dst, from, period, at, s.value)
		}
	}
}

func sample(dst map[int64]*Point, from, period, at int64, value float64) {
	p := Point{At: at}
	p.add(value, 1)
	mergeInto(dst, from, period, &p)
}

// value returns the current value, if there is one.
func (g *Gauge) value() (float64, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if n := len(g.steps); n > 0 && !g.steps[n-1].noValue {
		return g.steps[n-1].value, true
	}
	return 0, false
}

// since returns the second of the latest change, or 0 if there was none, and whether there has been a value since then.
func (g *Gauge) since() (second int64, inForce bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if n := len(g.steps); n > 0 {
		return g.steps[n-1].at, !g.steps[n-1].noValue
	}
	return 0, false
}

// last returns now while there is a value, otherwise the second of its end, or 0 if there never was one.
func (g *Gauge) last(now int64) int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch n := len(g.steps); {
	case n == 0:
		return 0
	case g.steps[n-1].noValue:
		return g.steps[n-1].at
	}
	return now
}
