package cloudwatch

import (
	"container/heap"
	"context"
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
	"github.com/tabletop-db/tabletop/emulator/internal/panics"
)

// timer is the one timer of all alarms, set for the next evaluation of any. s.mu guards it.
type timer struct {
	due    int64 // seconds since 1970
	cancel func()
}

func (t *timer) stop() {
	if t.cancel != nil {
		t.cancel()
	}
	t.cancel = nil
}

// scheduleTimer sets the timer for the first planned evaluation. s.mu must be held.
func (s *Service) scheduleTimer() {
	var due int64
	if len(s.schedule.queue) > 0 {
		due = s.schedule.queue[0].next
	}
	if s.timer.cancel != nil && s.timer.due == due {
		return
	}
	s.timer.stop()
	if due == 0 || s.closed {
		return
	}
	s.timer = timer{due: due, cancel: s.clock.At(time.Unix(due, 0), func() { s.evaluateDue(due) })}
}

// evaluateDue evaluates the alarms that are due.
func (s *Service) evaluateDue(due int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.timer.due != due || s.timer.cancel == nil {
		return // stopped, or set again, while it began
	}
	s.timer = timer{}
	defer s.scheduleTimer()
	for len(s.schedule.queue) > 0 && s.schedule.queue[0].next <= due {
		p := s.schedule.queue[0]
		end := p.next
		p.next += p.interval
		heap.Fix(&s.schedule.queue, 0)
		s.evaluateScheduled(p, end)
	}
}

// evaluateSafely evaluates an alarm. A panic is returned as an error, so that the other alarms are evaluated.
func (s *Service) evaluateSafely(a *alarm, end int64) (changed bool, err error) {
	err = panics.AsError("the evaluation", func() error {
		changed, err = s.evaluate(a, end)
		return err
	})
	return changed, err
}

// evaluateScheduled evaluates an alarm, and puts it to sleep once another evaluation could change nothing. s.mu must be
// held.
func (s *Service) evaluateScheduled(p *scheduledAlarm, end int64) {
	a := s.alarms[p.key]
	s.evaluations++
	changed, err := s.evaluateSafely(a, end)
	if err != nil {
		s.log.Error("an alarm could not be evaluated", "alarm", *a.AlarmName, "error", err)
	}
	cycle, still := s.isSteady(a, end)
	switch {
	case changed || err != nil || !still:
		p.quiet = -1
		return
	case p.quiet < 0:
		p.quiet = end
	}
	if s.schedule.neverSleep || end-p.quiet < cycle {
		return
	}
	s.schedule.sleep(p, a)
	if _, still := s.isSteady(a, end); !still { // a metric changed before it slept
		s.schedule.drop(p)
		s.schedule.wake(p, end)
	}
}

// metricChanged handles a change of a metric and wakes the alarms that wait for it. It may be called from anywhere,
// with s.mu held or not.
func (s *Service) metricChanged(id metrics.ID) {
	now := s.clock.Now()
	if s.schedule.sleepers.changed(id, now.Unix()) {
		s.clock.At(now, s.wake)
	}
}

// wake puts the alarms whose metrics changed on the agenda.
func (s *Service) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	for p, at := range s.schedule.sleepers.take() {
		if p.index < 0 {
			s.schedule.drop(p)
			s.schedule.wake(p, at)
		}
	}
	s.scheduleTimer()
}

// isSteady reports whether what an alarm sees at a second stays the same from then on unless a metric changes; and
// after how many seconds it repeats: a setting has a sample every five minutes.
func (s *Service) isSteady(a *alarm, end int64) (cycle int64, still bool) {
	if a.wallClock() {
		end -= mod(end, a.period)
	}
	for i := range a.queries {
		q := &a.queries[i]
		if q.expression != nil {
			continue
		}
		second, inForce := s.metrics.Since(q.metric)
		if max(second, a.ZeroSince) >= end-a.evaluationRange() {
			return 0, false
		}
		if inForce {
			cycle = a.cycle()
		}
	}
	return cycle, true
}

// gaugeInterval is how often a setting has a sample, in seconds.
const gaugeInterval = 300

// cycle returns after how many seconds the evaluations of an alarm have the same phase to the samples of a setting.
func (a *alarm) cycle() int64 {
	cycle := lcm(gaugeInterval, a.interval())
	if a.wallClock() {
		cycle = lcm(cycle, a.period)
	}
	return cycle
}

func lcm(a, b int64) int64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// evaluate sets the state of an alarm by its data points up to a second, and reports whether the state changed. s.mu
// must be held.
func (s *Service) evaluate(a *alarm, end int64) (changed bool, err error) {
	if a.wallClock() {
		end -= mod(end, a.period)
	}
	var samples []sample
	if !s.hasNoData(a, end) {
		if samples, err = s.samples(a, end); err != nil {
			return false, err
		}
	}
	v := evaluateSamples(samples, a.n(), a.m(), a.treatment(), *a.StateValue)
	if v.state == *a.StateValue || a.lowSample(v) {
		return false, nil
	}
	now := s.clock.Now()
	reason, data := a.reason(v, now)
	return true, s.change(a, a.enter(v.state, reason, data, now), now)
}

// samples returns the data points of the periods up to a second, the oldest first. Expressions that are too much work
// for an evaluation have none. Errors: budget.ErrBusy, after which another evaluation may find memory.
func (s *Service) samples(a *alarm, end int64) ([]sample, error) {
	work := budget.New(context.Background(), Limits(s.pool))
	defer work.Close()
	all := a.samples(newRun(s.metrics, a.queries, func(int64) int64 { return end - a.evaluationRange() }, end, work), end)
	if err := work.Err(); errors.Is(err, budget.ErrBusy) {
		return nil, err
	}
	return all, nil
}

// hasNoData reports whether there are no observations in the whole range of the alarm. It is cheap, so that a clock can
// be moved by years.
func (s *Service) hasNoData(a *alarm, end int64) bool {
	return a.MetricName != nil && a.ZeroSince == 0 && s.metrics.Last(a.queries[0].metric).Unix() < end-a.evaluationRange()
}

// wallClock reports whether the periods begin at their multiples.
func (a *alarm) wallClock() bool {
	return a.EvaluationWindow != nil && a.EvaluationWindow.WallClockWindow != nil
}

// evaluationRange returns how far back the alarm looks, in seconds.
func (a *alarm) evaluationRange() int64 { return int64(a.n()+extraPeriods) * a.period }

// samples returns the data points of the periods up to a second, the oldest first.
func (a *alarm) samples(r *run, end int64) []sample {
	values := map[int64]float64{}
	if res := r.of(a.watched); res.err == nil && len(res.series) == 1 {
		values = res.series[0].Values
	}
	counts := r.samples[a.watched]
	samples := make([]sample, 0, a.n()+extraPeriods)
	for at := end - a.evaluationRange(); at < end; at += a.period {
		value, known := values[at]
		known = known || a.ZeroSince != 0 && at >= a.ZeroSince
		samples = append(samples, sample{at: at, value: value, count: counts[at], known: known, breaches: known &&
			a.breaches(value)})
	}
	return samples
}

// lowSample reports whether a percentile has too few observations, for an alarm that ignores such samples.
func (a *alarm) lowSample(v evaluation) bool {
	if zero(a.EvaluateLowSampleCountPercentile) != "ignore" || len(a.queries) != 1 {
		return false
	}
	for _, s := range v.used {
		if s.count < a.queries[0].statistic.minSamples() {
			return true
		}
	}
	return false
}

// change replaces an alarm, records the change in its history, and starts the actions for its new state. s.mu must be
// held.
func (s *Service) change(old, updated *alarm, now time.Time) error {
	if err := s.save(updated, stateUpdate(old, updated, now)); err != nil {
		return err
	}
	s.log.Debug("an alarm changed its state", "alarm", *updated.AlarmName, "was", *old.StateValue, "is",
		*updated.StateValue,
		"reason", *updated.StateReason)
	if !valueOr(updated.ActionsEnabled, true) || *old.StateValue == *updated.StateValue {
		return nil
	}
	for _, action := range updated.actions(*updated.StateValue) {
		s.act(old, updated, action, now)
	}
	return nil
}
