package cloudwatch

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// newServiceWithoutPort returns a service without a port. With neverSleep it evaluates each alarm every time, which is
// the reference.
func newServiceWithoutPort(t *testing.T, neverSleep bool) *testService {
	t.Helper()
	d := &testService{T: t, clock: clock.Manual(noon)}
	d.registry = metrics.New(d.clock)
	var err error
	if d.store, err = store.Open(store.Options{}); err != nil {
		t.Fatal(err)
	}
	if d.service, err = New(Config{Store: d.store, Clock: d.clock, Metrics: d.registry, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	d.service.schedule.neverSleep = neverSleep
	t.Cleanup(func() {
		d.service.Close()
		d.store.Close()
	})
	return d
}

// call returns a caller for running operations.
func (d *testService) call() *caller { return &caller{Service: d.service} }

// stateText returns everything that the service returns about its alarms.
func (d *testService) stateText(names []string) string {
	d.Helper()
	history, err := d.service.historyOf()
	if err != nil {
		d.Fatal(err)
	}
	text := string(history)
	for _, name := range names {
		d.service.mu.Lock()
		a := d.service.alarms[alarmKey{"", name}]
		d.service.mu.Unlock()
		if a != nil {
			recorded, err := a.recorded()
			if err != nil {
				d.Fatal(err)
			}
			text += "\n" + string(recorded)
		}
	}
	return text
}

// historyOf returns the whole stored history.
func (s *Service) historyOf() (text []byte, err error) {
	err = s.store.View(func(r *store.Reader) error {
		it := r.Iter(historyKey(0), []byte{keyspace.CloudWatch, keyspace.AlarmHistory + 1}, false)
		defer it.Close()
		for it.Next() {
			text = append(append(text, it.Value()...), '\n')
		}
		return it.Close()
	})
	return text, err
}

// script uses both services at random, in the same way.
type script struct {
	*rand.Rand
	services [2]*testService
	names    []string
}

func pick[T any](s *script, all ...T) T { return all[s.IntN(len(all))] }

func (s *script) onBoth(fn func(d *testService)) {
	for _, d := range s.services {
		fn(d)
	}
}

// put creates or changes an alarm.
func (s *script) put() {
	name := pick(s, s.names...)
	in := &PutMetricAlarmInput{
		AlarmName: &name, EvaluationPeriods: aws.Int64(int64(1 + s.IntN(4))), Threshold: aws.Float64(float64(s.IntN(3))),
		ComparisonOperator: aws.String(pick(s, "GreaterThanThreshold", "LessThanThreshold", "GreaterThanOrEqualToThreshold")),
		TreatMissingData:   aws.String(pick(s, "breaching", "notBreaching", "ignore", "missing")),
	}
	in.DatapointsToAlarm = aws.Int64(1 + int64(s.IntN(int(*in.EvaluationPeriods))))
	period := pick[int64](s, 10, 30, 60, 60, 300, 420, 3600, 6*3600)
	metric := func() *MetricStat {
		return &MetricStat{Metric: &Metric{Namespace: aws.String("N"), MetricName: aws.String(pick(s, "a", "b", "g"))},
			Period: &period,
			Stat:   aws.String(pick(s, "Sum", "Average", "SampleCount", "p90"))}
	}
	if s.IntN(4) == 0 {
		expression := pick(s, "FILL(x, 0) + y", "RATE(x)", "RUNNING_SUM(x)", "IF(x > 1, x, y)",
			"FILL(METRICS(\"x\"), REPEAT)[0]", "TIME_SERIES(2) - FILL(x, 0)", "x / PERIOD(y)")
		in.Metrics = []MetricDataQuery{
			{Id: aws.String("x"), MetricStat: metric(), ReturnData: aws.Bool(false)}, {Id: aws.String("y"), MetricStat: metric(),
				ReturnData: aws.Bool(false)},
			{Id: aws.String("e"), Expression: &expression},
		}
	} else {
		one := metric()
		in.Namespace, in.MetricName, in.Period = one.Metric.Namespace, one.Metric.MetricName, one.Period
		if *one.Stat == "p90" {
			in.ExtendedStatistic, in.EvaluateLowSampleCountPercentile = one.Stat, aws.String(pick(s, "ignore", "evaluate"))
		} else {
			in.Statistic = one.Stat
		}
	}
	if s.IntN(4) == 0 {
		in.EvaluationWindow = &EvaluationWindow{WallClockWindow: &WallClockWindow{}}
	}
	var first error
	for i, d := range s.services {
		_, err := putMetricAlarm(d.call(), in)
		if i == 0 {
			first = err
		} else if fmt.Sprint(err) != fmt.Sprint(first) {
			d.Fatalf("put: %v and %v", first, err)
		}
	}
}

// data adds an observation, dated now, earlier or later.
func (s *script) data() {
	name, value, n := pick(s, "a", "b"), float64(s.IntN(4)), 1+s.IntN(20)
	off := pick[int64](s, 0, 0, 0, 0, -60, -600, -7200, 60, 3600, 7200)
	inside := time.Duration(s.IntN(4)) * time.Duration(s.IntN(3600)) * time.Second
	s.onBoth(func(d *testService) {
		see := func() {
			d.registry.Series(metrics.NewID("", "N", name), "Count").ObserveN(d.clock.Now().Unix()+off, value, float64(n))
		}
		if inside == 0 {
			see()
			return
		}
		// Half a second after a full one: what happens at the same moment as an evaluation has no order.
		d.clock.At(d.clock.Now().Truncate(time.Second).Add(inside+time.Second/2), see)
	})
}

// setting changes a setting.
func (s *script) setting() {
	value, end := float64(s.IntN(3)), s.IntN(4) == 0
	s.onBoth(func(d *testService) {
		g := d.registry.Gauge(metrics.NewID("", "N", "g"), "Count")
		if end {
			g.End(d.clock.Now().Unix())
		} else {
			g.Set(d.clock.Now().Unix(), value)
		}
	})
}

func (s *script) step() {
	name := pick(s, s.names...)
	switch s.IntN(12) {
	case 0, 1:
		s.put()
	case 2, 3, 4:
		s.data()
	case 5:
		s.setting()
	case 6:
		state := pick(s, stateOK, stateAlarm, stateInsufficient)
		s.onBoth(func(d *testService) {
			_, _ = setAlarmState(d.call(), &SetAlarmStateInput{AlarmName: &name, StateValue: &state,
				StateReason: aws.String("test")})
		})
	case 7:
		s.onBoth(func(d *testService) { _, _ = deleteAlarms(d.call(), &DeleteAlarmsInput{AlarmNames: []string{name}}) })
	case 8:
		enabled := s.IntN(2) == 0
		s.onBoth(func(d *testService) { _, _ = d.call().setActionsEnabled([]string{name}, enabled) })
	case 9:
		s.onBoth(func(d *testService) {
			if err := d.service.Reload(); err != nil {
				d.Fatal(err)
			}
		})
	default:
		by := pick(s, time.Duration(s.IntN(90))*time.Second, time.Duration(s.IntN(300))*time.Minute,
			time.Duration(s.IntN(3))*24*time.Hour)
		s.onBoth(func(d *testService) { d.advance(by) })
	}
}

// TestSleepingAlarmsMissNothing compares alarms that sleep with alarms that are evaluated every time: they change their
// states at the same times, for the same reasons.
func TestSleepingAlarmsMissNothing(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 15, func(t *testing.T, seed uint64) {
		s := &script{Rand: rand.New(rand.NewPCG(seed, 0x736c656570)),
			services: [2]*testService{newServiceWithoutPort(t, false),
				newServiceWithoutPort(t, true)}, names: []string{"p", "q", "r"}}
		for range 3 {
			s.put()
		}
		for range 40 {
			s.step()
			if got, want := s.services[0].stateText(s.names), s.services[1].stateText(s.names); got != want {
				t.Fatalf("at %v\n%s\nwant\n%s", s.services[0].clock.Now(), got, want)
			}
		}
	})
}

// TestAdvancingAYearWithIdleAlarmsIsFast moves the clock by a year with many alarms: a few with data, and the others
// without data or on a setting. Each of the others is evaluated a few times, not every minute.
func TestAdvancingAYearWithIdleAlarmsIsFast(t *testing.T) {
	t.Parallel()
	d := newServiceWithoutPort(t, false)
	for i := range 2000 {
		metric := []string{"none", "g", "a"}[min(i%3, 2)]
		if metric == "a" && i > 10 {
			metric = fmt.Sprint("none", i)
		}
		if _, err := putMetricAlarm(d.call(), &PutMetricAlarmInput{
			AlarmName: aws.String(fmt.Sprint("alarm", i)), Namespace: aws.String("N"), MetricName: &metric,
			Statistic: aws.String("Sum"),
			Period:    aws.Int64(300), EvaluationPeriods: aws.Int64(1), Threshold: aws.Float64(1),
			ComparisonOperator: aws.String("GreaterThanThreshold"),
			TreatMissingData:   aws.String("notBreaching"),
		}); err != nil {
			t.Fatal(err)
		}
	}
	d.registry.Gauge(metrics.NewID("", "N", "g"), "Count").Set(d.clock.Now().Unix(), 5)
	for day := range 365 {
		d.clock.At(noon.Add(time.Duration(day)*24*time.Hour+time.Second), func() {
			d.registry.Series(metrics.NewID("", "N", "a"), "Count").Observe(d.clock.Now().Unix(), 2)
		})
	}
	d.advance(365 * 24 * time.Hour)
	if n := d.service.evaluations; n > 300_000 {
		t.Errorf("%d evaluations, of 1,051,200,000 minutes of alarms", n)
	} else {
		t.Logf("%d evaluations", n)
	}
	var recorded struct{ StateValue string }
	text, err := d.service.alarms[alarmKey{"", "alarm1"}].recorded()
	if err := json.Unmarshal(text, &recorded); err != nil || recorded.StateValue != stateAlarm {
		t.Errorf("the alarm on the setting is %s, %v", text, err)
	}
	if err != nil {
		t.Fatal(err)
	}
}
