package cloudwatch

import (
	"container/heap"
	"sync"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
)

// scheduledAlarm is the schedule of one alarm: when it is evaluated next, or that it sleeps.
//
// An alarm sleeps if another evaluation can change nothing until something happens: none of its metrics has a data
// point in range, or only a setting that has been the same for the whole range, and evaluations have led to its present
// state. A new data point or setting of its metrics wakes it, and so does a change of the alarm. So moving the clock
// takes time for what happens in between, not for every minute.
type scheduledAlarm struct {
	key      alarmKey
	interval int64 // seconds between evaluations
	next     int64 // second since 1970 of the next evaluation
	quiet    int64 // second of the evaluation since which nothing could change; -1: something could
	index    int   // in the heap; -1: it sleeps
	watching []string
}

// alarmHeap is the heap of the alarms that are awake: the earliest first, those of one second in the order of their
// names.
type alarmHeap []*scheduledAlarm

func (g alarmHeap) Len() int { return len(g) }

func (g alarmHeap) Less(i, j int) bool {
	if g[i].next != g[j].next {
		return g[i].next < g[j].next
	}
	return g[i].key.compare(g[j].key) < 0
}

func (g alarmHeap) Swap(i, j int) {
	g[i], g[j] = g[j], g[i]
	g[i].index, g[j].index = i, j
}

// Push implements heap.Interface.
func (g *alarmHeap) Push(x any) {
	p := x.(*scheduledAlarm)
	p.index = len(*g)
	*g = append(*g, p)
}

// Pop implements heap.Interface.
func (g *alarmHeap) Pop() any {
	last := len(*g) - 1
	p := (*g)[last]
	(*g)[last] = nil
	*g = (*g)[:last]
	p.index = -1
	return p
}

// schedule holds when each alarm is evaluated. The service's mu guards it, except for sleepers.
type schedule struct {
	byAlarm    map[alarmKey]*scheduledAlarm
	queue      alarmHeap
	sleepers   sleepers
	neverSleep bool // in tests: no alarm ever sleeps
}

// plan schedules a new or changed alarm: its first evaluation is after the second after, unless it is awake already. An
// alarm without queries is never evaluated.
func (s *schedule) plan(a *alarm, after int64) {
	if len(a.queries) == 0 {
		return
	}
	p, ok := s.byAlarm[a.key()]
	if !ok {
		p = &scheduledAlarm{key: a.key(), index: -1}
		s.byAlarm[a.key()] = p
	}
	p.quiet = -1
	if p.index >= 0 && p.interval == a.interval() {
		return
	}
	s.drop(p)
	p.interval = a.interval()
	s.wake(p, after)
}

// wake puts a sleeping alarm on the agenda.
func (s *schedule) wake(p *scheduledAlarm, after int64) {
	p.quiet, p.next = -1, after-mod(after, p.interval)+p.interval
	heap.Push(&s.queue, p)
}

// sleep removes an alarm from the agenda until one of its metrics changes.
func (s *schedule) sleep(p *scheduledAlarm, a *alarm) {
	heap.Remove(&s.queue, p.index)
	for i := range a.queries {
		if q := &a.queries[i]; q.expression == nil {
			p.watching = append(p.watching, q.metric.Key())
		}
	}
	s.sleepers.add(p)
}

// drop removes an alarm from the agenda or from the sleepers.
func (s *schedule) drop(p *scheduledAlarm) {
	if p.index >= 0 {
		heap.Remove(&s.queue, p.index)
		return
	}
	s.sleepers.remove(p)
}

// forget removes an alarm.
func (s *schedule) forget(key alarmKey) {
	if p, ok := s.byAlarm[key]; ok {
		s.drop(p)
		delete(s.byAlarm, key)
	}
}

// reset removes all alarms.
func (s *schedule) reset() {
	for key := range s.byAlarm {
		s.forget(key)
	}
	s.byAlarm = map[alarmKey]*scheduledAlarm{}
}

// sleepers are the sleeping alarms by the metrics that wake them. They have a lock of their own, because metrics change
// while alarms are evaluated.
type sleepers struct {
	count atomic.Int64 // a metric without sleepers costs nothing

	mu       sync.Mutex
	byMetric map[string]map[*scheduledAlarm]bool
	woken    map[*scheduledAlarm]int64 // alarms to wake, and the second at which a metric of each changed
}

func (s *sleepers) add(p *scheduledAlarm) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byMetric == nil {
		s.byMetric, s.woken = map[string]map[*scheduledAlarm]bool{}, map[*scheduledAlarm]int64{}
	}
	for _, key := range p.watching {
		if s.byMetric[key] == nil {
			s.byMetric[key] = map[*scheduledAlarm]bool{}
		}
		s.byMetric[key][p] = true
	}
	s.count.Add(1)
}

func (s *sleepers) remove(p *scheduledAlarm) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.watching == nil {
		return
	}
	for _, key := range p.watching {
		if delete(s.byMetric[key], p); len(s.byMetric[key]) == 0 {
			delete(s.byMetric, key)
		}
	}
	p.watching = nil
	delete(s.woken, p)
	s.count.Add(-1)
}

// changed records which alarms a metric's change wakes, and reports whether there were none to wake before.
func (s *sleepers) changed(id metrics.ID, now int64) (first bool) {
	if s.count.Load() == 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	was := len(s.woken)
	for p := range s.byMetric[id.Key()] {
		if _, noted := s.woken[p]; !noted {
			s.woken[p] = now
		}
	}
	return was == 0 && len(s.woken) > 0
}

// take returns the alarms to wake and clears the record.
func (s *sleepers) take() map[*scheduledAlarm]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	woken := s.woken
	s.woken = map[*scheduledAlarm]int64{}
	return woken
}
