package cloudwatch

import (
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cloudwatch/math"
	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// query is a MetricDataQuery after its checks: a metric's statistic, or an expression.
type query struct {
	id, label  string
	returned   bool
	metric     metrics.ID
	statistic  statistic
	unit       string
	period     int64            // seconds; 0 for an expression
	expression *math.Expression // nil for a metric
}

// Limits of the queries of one request, and of the characters of an expression.
const (
	maxQueries    = 500
	maxExpression = 2048
)

var queryID = lazyregexp.New(`^[a-z][a-zA-Z0-9_]{0,254}$`)

// checkQueries checks queries by themselves and against each other. where names their list in errors.
func (c *caller) checkQueries(where string, in []MetricDataQuery) ([]query, error) {
	if len(in) > maxQueries {
		return nil, validationError("The number of %s is %d, more than %d.", where, len(in), maxQueries)
	}
	all := make([]query, 0, len(in))
	seen := map[string]bool{}
	for i := range in {
		q, err := c.checkQuery(fmt.Sprintf("%s.member.%d", where, i+1), &in[i])
		if err != nil {
			return nil, err
		}
		if seen[q.id] {
			return nil, validationError("The values for parameter id in %s are not unique: %s.", where, q.id)
		}
		seen[q.id] = true
		all = append(all, q)
	}
	return all, nil
}

func (c *caller) checkQuery(where string, in *MetricDataQuery) (query, error) {
	q := query{id: zero(in.Id), label: zero(in.Label), returned: valueOr(in.ReturnData, true)}
	if !queryID.MatchString(q.id) {
		return q, validationError("The value '%s' for parameter %s.id is invalid: it starts with a lowercase letter, and has letters, digits and underscores.",
			q.id, where)
	}
	if in.AccountId != nil {
		return q, invalidValue("The parameter %s.accountId is not supported: the emulator has no other accounts.", where)
	}
	if (in.Expression == nil) == (in.MetricStat == nil) {
		return q, validationError("Exactly one of expression and metricStat must be given in %s.", where)
	}
	if in.Expression != nil {
		if len(*in.Expression) > maxExpression {
			return q, validationError("The expression '%s' has %d characters, more than %d.", q.id,
				len(*in.Expression), maxExpression)
		}
		x, err := math.Parse(*in.Expression)
		if err != nil {
			return q, validationError("Error in expression '%s': %v.", q.id, err)
		}
		q.expression = x
		return q, nil
	}
	return q, c.checkMetricStat(where+".metricStat.", in.MetricStat, &q)
}

func (c *caller) checkMetricStat(where string, in *MetricStat, q *query) error {
	if in.Metric == nil {
		return mustNotBeNull(where + "metric")
	}
	var err error
	if q.metric, err = c.idOf(where+"metric.", in.Metric.Namespace, in.Metric.MetricName,
		in.Metric.Dimensions); err != nil {
		return err
	}
	if q.period, err = checkPeriod(where+"period", in.Period); err != nil {
		return err
	}
	if err := checkUnit(in.Unit); err != nil {
		return err
	}
	q.unit = zero(in.Unit)
	if in.Stat == nil {
		return mustNotBeNull(where + "stat")
	}
	var ok bool
	if q.statistic, ok = parseStatistic(*in.Stat); !ok {
		return unsupportedStatistic(where+"stat", *in.Stat)
	}
	return nil
}

// maxPeriod is the longest period, in seconds: a week, as for alarms.
const maxPeriod = 7 * 24 * 3600

// checkPeriod checks a period in seconds.
func checkPeriod(where string, period *int64) (int64, error) {
	if period == nil {
		return 0, mustNotBeNull(where)
	}
	p := *period
	if p == 1 || p == 5 || p == 10 || p == 20 || p == 30 || p > 0 && p%60 == 0 && p <= maxPeriod {
		return p, nil
	}
	return 0, invalidValue(
		"The value %d for parameter %s is invalid: a period is 1, 5, 10, 20, 30 or a multiple of 60 seconds, up to a week.",
		p, where)
}

// run is the evaluation of queries over one range of time.
type run struct {
	metrics *metrics.Registry
	queries []query
	from    func(period int64) int64 // start of the range for a period, in seconds since 1970
	to      int64                    // end of the range, exclusive

	done    map[string]*result
	samples map[string]map[int64]float64 // sample counts of the metrics' periods, by ID
	work    *budget.Budget               // a step for each value that is read
}

// result is the result of a query.
type result struct {
	series  []*math.Series
	array   bool
	err     error
	running bool // its expression is being evaluated
}

func newRun(r *metrics.Registry, queries []query, from func(period int64) int64, to int64, work *budget.Budget) *run {
	return &run{metrics: r, queries: queries, from: from, to: to, done: map[string]*result{},
		samples: map[string]map[int64]float64{}, work: work}
}

// of returns the result of a query, which is evaluated once.
func (r *run) of(id string) *result {
	if known, ok := r.done[id]; ok {
		if known.running {
			return &result{err: fmt.Errorf("it refers to itself")}
		}
		return known
	}
	for i := range r.queries {
		if q := &r.queries[i]; q.id == id {
			res := &result{running: true}
			r.done[id] = res
			r.evaluate(q, res)
			res.running = false
			return res
		}
	}
	return &result{err: fmt.Errorf("there is no metric or expression %s", id)}
}

func (r *run) evaluate(q *query, res *result) {
	if q.expression == nil {
		res.series, res.err = r.metric(q)
		return
	}
	var all []*math.Series
	for i := range r.queries {
		if r.queries[i].expression == nil {
			all = append(all, r.of(r.queries[i].id).series...)
		}
	}
	source := &math.Source{From: r.from(r.period()), To: r.to, Metrics: all, Budget: r.work,
		Lookup: func(id string) ([]*math.Series, bool, error) {
			known := r.of(id)
			return known.series, known.array, known.err
		}}
	res.series, res.array, res.err = q.expression.Eval(source)
}

// metric reads the series of a metric and counts it against the budget.
func (r *run) metric(q *query) ([]*math.Series, error) {
	if err := r.work.Err(); err != nil {
		return nil, err
	}
	s := r.read(q)
	if err := r.work.Step(1 + len(s.Values)); err != nil {
		return nil, err
	}
	return []*math.Series{s}, r.work.Grow(len(s.Values) * 2 * math.ValueBytes) // with the sample counts
}

// period returns the longest period of the metrics.
func (r *run) period() int64 {
	period := int64(1)
	for i := range r.queries {
		period = max(period, r.queries[i].period)
	}
	return period
}

func (r *run) read(q *query) *math.Series {
	s := &math.Series{ID: q.id, Period: q.period, Values: map[int64]float64{}}
	samples := map[int64]float64{}
	points, _ := r.metrics.Points(q.metric, q.unit, time.Unix(r.from(q.period), 0), time.Unix(r.to, 0),
		time.Duration(q.period)*time.Second)
	for i := range points {
		if value, ok := q.statistic.of(&points[i]); ok {
			s.Values[points[i].At] = value
			samples[points[i].At] = points[i].Count
		}
	}
	r.samples[q.id] = samples
	return s
}
