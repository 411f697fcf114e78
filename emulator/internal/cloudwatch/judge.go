package cloudwatch

import "slices"

// sample is the data point of one period of an alarm; what is missing has none.
type sample struct {
	at       int64 // the period's first second
	value    float64
	count    float64 // of observations, where the data point is a metric's
	known    bool
	breaches bool
}

// verdict is what an evaluation came to.
type verdict struct {
	state  string
	used   []sample // the real data points that were decided by, the oldest first
	filled int      // missing ones that were needed beside them
}

// extraPeriods is how many periods beyond EvaluationPeriods are looked at for real data in the place of missing. The
// service says that it looks at more, and its examples look at five periods for an EvaluationPeriods of three.
const extraPeriods = 2

// judge decides the state of an alarm by its samples, the oldest first: of the last n real ones, m must breach; what is
// missing among them is taken for what the alarm says. (AWS, "Configuring how CloudWatch alarms treat missing data".)
func judge(samples []sample, n, m int, treatment, current string) verdict {
	real := slices.DeleteFunc(slices.Clone(samples), func(s sample) bool { return !s.known })
	real = real[max(0, len(real)-n):]
	v := verdict{used: real, filled: n - len(real)}
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

// premature says whether the oldest breaching data point is at least m periods old: where all that is known breaches,
// the alarm goes off then, though there are fewer than m.
func premature(samples []sample, m int) bool {
	oldest := slices.IndexFunc(samples, func(s sample) bool { return s.known && s.breaches })
	return oldest >= 0 && len(samples)-oldest >= m
}
