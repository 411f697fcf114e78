package cloudwatch

import (
	"cmp"
	"encoding/json"
	"time"
)

// The states of an alarm.
const (
	stateOK           = "OK"
	stateAlarm        = "ALARM"
	stateInsufficient = "INSUFFICIENT_DATA"
)

// alarmKey identifies an alarm: names are unique in an account.
type alarmKey struct{ account, name string }

func (k alarmKey) compare(o alarmKey) int {
	return cmp.Or(cmp.Compare(k.account, o.account), cmp.Compare(k.name, o.name))
}

// alarm is a metric alarm: its configuration and its state, which are stored, and what is derived from them. It is
// immutable: a change creates another one.
type alarm struct {
	Account string // name of its account's space
	MetricAlarm
	Tags []Tag
	// ZeroSince is the second since 1970 from which on a period without data points has the value 0. Only alarms of
	// scaling policies have it: DynamoDB publishes zeros where the emulator has no observations. 0: never.
	ZeroSince int64 `json:",omitempty"`

	queries []query // none if the stored configuration cannot be evaluated
	watched string  // ID of the query whose data points are compared
	period  int64   // seconds
}

func (a *alarm) key() alarmKey { return alarmKey{a.Account, *a.AlarmName} }

// prepare checks the configuration and derives what evaluation needs from it.
func (a *alarm) prepare(c *caller) error {
	if a.MetricName == nil {
		return a.prepareMath(c)
	}
	q := query{id: "m1", returned: true, unit: zero(a.Unit)}
	stat := MetricStat{
		Metric: &Metric{a.Namespace, a.MetricName, a.Dimensions},
		Period: a.Period, Unit: a.Unit, Stat: a.Statistic,
	}
	if a.Statistic == nil {
		stat.Stat = a.ExtendedStatistic
	}
	if err := c.checkMetricStat("", &stat, &q); err != nil {
		return err
	}
	a.queries, a.watched, a.period = []query{q}, q.id, q.period
	return a.checkPeriod()
}

func (a *alarm) prepareMath(c *caller) error {
	queries, err := c.checkQueries("metrics", a.Metrics)
	if err != nil {
		return err
	}
	for i := range queries {
		q := &queries[i]
		if q.expression == nil {
			if a.period != 0 && a.period != q.period {
				return validationError("The metrics of an alarm must have one period: %s has %d seconds, another one %d.", q.id,
					q.period, a.period)
			}
			a.period = q.period
		}
		if q.returned {
			if a.watched != "" {
				return validationError("Exactly one element of the metrics list should return data.")
			}
			a.watched = q.id
		}
	}
	if a.watched == "" || a.period == 0 {
		return validationError(
			"Exactly one element of the metrics list should return data, and one at least must be a metric.")
	}
	a.queries = queries
	if err := a.checkPeriod(); err != nil {
		return err
	}
	r := newRun(c.metrics, queries, func(int64) int64 { return 0 }, 0, c.work)
	res := r.of(a.watched)
	if err := c.work.Err(); err != nil {
		return err
	}
	if res.err != nil {
		return validationError("Error in expression '%s': %v.", a.watched, res.err)
	} else if res.array {
		return validationError("Error in expression '%s': an alarm watches one time series, and this expression returns an array.",
			a.watched)
	}
	return nil
}

// checkPeriod refuses periods that metrics can have but alarms cannot.
func (a *alarm) checkPeriod() error {
	if a.period < 10 {
		return validationError("The period of an alarm is 10, 20, 30 or a multiple of 60 seconds, not %d.", a.period)
	}
	return nil
}

// Of the last n data points, m must breach.
func (a *alarm) n() int { return int(*a.EvaluationPeriods) }
func (a *alarm) m() int { return int(valueOr(a.DatapointsToAlarm, *a.EvaluationPeriods)) }

// interval returns how often the alarm is evaluated, in seconds: every minute, more often if its periods are shorter,
// or every hour if it looks back more than a day.
func (a *alarm) interval() int64 {
	switch {
	case a.period < 60:
		return 10
	case a.period*int64(a.n()) > 24*3600:
		return 3600
	}
	return 60
}

// breaches compares a data point with the threshold.
func (a *alarm) breaches(value float64) bool {
	switch *a.ComparisonOperator {
	case "GreaterThanThreshold":
		return value > *a.Threshold
	case "GreaterThanOrEqualToThreshold":
		return value >= *a.Threshold
	case "LessThanThreshold":
		return value < *a.Threshold
	default: // LessThanOrEqualToThreshold
		return value <= *a.Threshold
	}
}

// treatment returns how missing data is treated.
func (a *alarm) treatment() string { return valueOr(a.TreatMissingData, "missing") }

// actions returns the actions for entering a state.
func (a *alarm) actions(state string) []string {
	switch state {
	case stateOK:
		return a.OKActions
	case stateAlarm:
		return a.AlarmActions
	}
	return a.InsufficientDataActions
}

// enter returns the alarm in another state, or in the same one for another reason.
func (a *alarm) enter(state, reason, data string, now time.Time) *alarm {
	next := *a
	next.StateValue, next.StateReason = &state, &reason
	next.StateReasonData = nil
	if data != "" {
		next.StateReasonData = &data
	}
	next.StateUpdatedTimestamp = at(now)
	if *a.StateValue != state {
		next.StateTransitionedTimestamp = at(now)
	}
	return &next
}

// recorded returns the alarm as stored.
func (a *alarm) recorded() ([]byte, error) { return json.Marshal(a) }
