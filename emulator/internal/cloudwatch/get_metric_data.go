package cloudwatch

import (
	"slices"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cloudwatch/math"
)

// GetMetricDataInput requests statistics of metrics, and expressions over them.
type GetMetricDataInput struct {
	StartTime         *Time
	EndTime           *Time
	MetricDataQueries []MetricDataQuery
	MaxDatapoints     *int64
	NextToken         *string
	ScanBy            *string
	LabelOptions      *struct{ Timezone *string }
}

// MetricDataResult is the result of one query.
type MetricDataResult struct {
	Id         *string       `json:",omitempty"`
	Label      *string       `json:",omitempty"`
	Timestamps []Time        `json:",omitempty"`
	Values     []float64     `json:",omitempty"`
	StatusCode *string       `json:",omitempty"`
	Messages   []MessageData `json:",omitempty"`
}

// MessageData is a message about a response.
type MessageData struct {
	Code  *string `json:",omitempty"`
	Value *string `json:",omitempty"`
}

// GetMetricDataOutput is the response.
type GetMetricDataOutput struct {
	MetricDataResults []MetricDataResult `json:",omitempty"`
	NextToken         *string            `json:",omitempty"`
}

// maxDatapoints is the largest number of data points in one response.
const maxDatapoints = 100_800

func getMetricData(c *caller, in *GetMetricDataInput) (*GetMetricDataOutput, error) {
	if err := checkRange(in.StartTime, in.EndTime); err != nil {
		return nil, err
	}
	if in.MetricDataQueries == nil {
		return nil, mustNotBeNull("metricDataQueries")
	}
	if by := valueOr(in.ScanBy, "TimestampDescending"); by != "TimestampDescending" && by != "TimestampAscending" {
		return nil, constraintError(by, "scanBy",
			"Member must satisfy enum value set: [TimestampDescending, TimestampAscending]")
	}
	most := valueOr(in.MaxDatapoints, maxDatapoints)
	if most < 1 || most > maxDatapoints {
		return nil, invalidValue("The value %d for parameter MaxDatapoints is invalid: it is from 1 to %d.",
			most, maxDatapoints)
	}
	skip, err := offsetOf(in.NextToken)
	if err != nil {
		return nil, err
	}
	queries, err := c.checkQueries("metricDataQueries", in.MetricDataQueries)
	if err != nil {
		return nil, err
	}
	r := newRun(c.metrics, queries, alignedFrom(in.StartTime.Unix()), ceiling(in.EndTime.Time), c.work)
	results, err := r.results(zero(in.ScanBy) == "TimestampAscending")
	if err != nil {
		return nil, err
	}
	return page(results, skip, int(most)), nil
}

// checkRange checks the start and end of a time range.
func checkRange(start, end *Time) error {
	switch {
	case start == nil:
		return mustNotBeNull("startTime")
	case end == nil:
		return mustNotBeNull("endTime")
	case !start.Before(end.Time):
		return validationError("The parameter StartTime must be less than the parameter EndTime.")
	case end.Sub(start.Time) > maxRange:
		return invalidValue("The parameters StartTime and EndTime are further apart than metrics are kept, 455 days.")
	}
	return nil
}

// maxRange is how long CloudWatch keeps metrics.
const maxRange = 455 * 24 * time.Hour

// alignedFrom returns a function that rounds start down to a multiple of a period.
func alignedFrom(start int64) func(period int64) int64 {
	return func(period int64) int64 { return start - mod(start, period) }
}

func mod(a, b int64) int64 { return (a%b + b) % b }

// ceiling returns the first whole second at or after a time.
func ceiling(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}

// results returns the results of the queries that return data, each with all its data points.
func (r *run) results(ascending bool) ([]MetricDataResult, error) {
	var all []MetricDataResult
	for i := range r.queries {
		q := &r.queries[i]
		res := r.of(q.id)
		if err := r.work.Err(); err != nil {
			return nil, err
		}
		if res.err != nil {
			return nil, validationError("Error in expression '%s': %v.", q.id, res.err)
		}
		if !q.returned {
			continue
		}
		for _, s := range res.series {
			all = append(all, q.result(s, res.array, ascending))
		}
	}
	return all, nil
}

func (q *query) result(s *math.Series, array, ascending bool) MetricDataResult {
	label := q.label
	switch {
	case label == "" && q.expression == nil:
		label = q.metric.Name
	case label == "":
		label = q.id
	}
	if array {
		label += " " + s.ID
	}
	out := MetricDataResult{Id: &q.id, Label: &label}
	times := s.Times()
	if !ascending {
		slices.Reverse(times)
	}
	for _, second := range times {
		out.Timestamps = append(out.Timestamps, Time{time.Unix(second, 0).UTC()})
		out.Values = append(out.Values, s.Values[second])
	}
	return out
}

// page returns at most most data points of all results after the first skip.
func page(all []MetricDataResult, skip, most int) *GetMetricDataOutput {
	out := &GetMetricDataOutput{}
	next, left := skip, most
	for _, res := range all {
		begin := min(skip, len(res.Values))
		skip -= begin
		n := min(left, len(res.Values)-begin)
		status := "Complete"
		if begin+n < len(res.Values) {
			status = "PartialData"
			token := strconv.Itoa(next + n)
			out.NextToken = &token
		}
		if begin > 0 && begin == len(res.Values) || n == 0 && left == 0 && len(res.Values) > 0 {
			continue // on an earlier or a later page
		}
		res.Timestamps, res.Values, res.StatusCode = res.Timestamps[begin:begin+n], res.Values[begin:begin+n], &status
		next, left = next+n, left-n
		out.MetricDataResults = append(out.MetricDataResults, res)
	}
	return out
}

// offsetOf decodes a token: the number of data points on earlier pages.
func offsetOf(token *string) (int, error) {
	if token == nil || *token == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(*token)
	if err != nil || n < 0 {
		return 0, invalidToken()
	}
	return n, nil
}
