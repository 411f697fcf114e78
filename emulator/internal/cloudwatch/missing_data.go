package cloudwatch

import "slices"

// sample is the data point of one period of an alarm. known is false for a missing one.
type sample struct {
	at       int64 // the period's first second
	value    float64
	count    float64 // of observations, if the data point is a metric's
	known    bool
	breaches bool
}

// evaluation is the result of an evaluation.
type evaluation struct {
	state  string
	used   []sample // the data points that decided, the oldest first
	filled int      // number of missing data points that were needed besides them
}

// extraPeriods is how many periods beyond EvaluationPeriods are searched for real data in place of missing data. The
// service says that it searches more, and its examples use five periods for an EvaluationPeriods of three.
const extraPeriods = 2

// evaluateSamples returns the state of an alarm for its samples, the oldest first: of the last n real ones, m must
// breach; missing ones among them are treated as the alarm says. (AWS, "Configuring how CloudWatch alarms treat missing
// data".)
func evaluateSamples(samples []sample, n, m int, treatment, current string) evaluation {
	real := slices.DeleteFunc(slices.Clone(samples), func(s sample) bool { return !s.known })
	real = real[max(0, len(real)-n):]
	v := evaluation{used: real, filled: n - len(real)}
	breaching := 0
	for _, s := range real {
		if s.breaches {
			breaching++
		}
	}
	switch {
	case breaching >= m:
		v.state = stateAlarm
	case v.filled == 0 || treatment == "notBreaching":
		v.state = stateOK
	case treatment == "breaching":
		v.state = stateOK
		if breaching+v.filled >= m {
			v.state = stateAlarm
		}
	case len(real) == 0:
		v.state = stateInsufficient
	case breaching < len(real) || !premature(samples, m):
		v.state = stateOK
	default:
		v.state = stateAlarm
	}
	if treatment == "ignore" && v.filled > 0 && breaching < m && breaching == len(real) {
		v.state = current
	}
	return v
}

// premature reports whether the oldest breaching data point is at least m periods old. If all known data points breach,
// the alarm goes off then, although there are fewer than m.
func premature(samples []sample, m int) bool {
	oldest := slices.IndexFunc(samples, func(s sample) bool { return s.known && s.breaches })
	return oldest >= 0 && len(samples)-oldest >= m
}
