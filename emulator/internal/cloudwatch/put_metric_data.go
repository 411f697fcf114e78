package cloudwatch

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
)

// PutMetricDataInput adds data to custom metrics.
type PutMetricDataInput struct {
	Namespace        *string
	MetricData       []MetricDatum
	EntityMetricData []struct{}
}

// MetricDatum is the data of one metric at one time: a value, values with their counts, or statistics.
type MetricDatum struct {
	MetricName        *string
	Dimensions        []Dimension
	Timestamp         *Time // absent: now
	Value             *float64
	Values            []float64
	Counts            []float64 // absent: each value once
	StatisticValues   *StatisticSet
	Unit              *string // absent: None
	StorageResolution *int64  // seconds: 60, or 1
}

// StatisticSet summarizes many observations.
type StatisticSet struct {
	SampleCount *float64
	Sum         *float64
	Minimum     *float64
	Maximum     *float64
}

// Limits of one request, and of how far from now its data may be.
const (
	maxData   = 1000
	maxValues = 150
	maxAge    = 14 * 24 * time.Hour
	maxFuture = 2 * time.Hour
)

func putMetricData(c *caller, in *PutMetricDataInput) (*noOutput, error) {
	if zero(in.Namespace) == "" {
		return nil, mustNotBeNull("namespace")
	}
	if strings.HasPrefix(*in.Namespace, "AWS/") {
		return nil, invalidValue("The value AWS/ for parameter Namespace is invalid.")
	}
	if len(in.EntityMetricData) > 0 {
		return nil, invalidValue("The parameter EntityMetricData is not supported: use MetricData.")
	}
	if len(in.MetricData) == 0 {
		return nil, missing("MetricData")
	}
	if len(in.MetricData) > maxData {
		return nil, validationError("The collection MetricData must not have a size greater than %d.", maxData)
	}
	data := make([]datum, len(in.MetricData))
	for i := range in.MetricData {
		var err error
		if data[i], err = c.checkDatum(fmt.Sprintf("metricData.member.%d.", i+1), in.Namespace,
			&in.MetricData[i]); err != nil {
			return nil, err
		}
	}
	for i := range data { // all or nothing
		data[i].put(c.metrics)
	}
	return &noOutput{}, nil
}

// datum is a MetricDatum after its checks.
type datum struct {
	*MetricDatum
	id metrics.ID
	at int64
}

func (c *caller) checkDatum(where string, namespace *string, in *MetricDatum) (datum, error) {
	d := datum{MetricDatum: in}
	var err error
	if d.id, err = c.idOf(where, namespace, in.MetricName, in.Dimensions); err != nil {
		return d, err
	}
	now := c.clock.Now()
	when := now
	if in.Timestamp != nil {
		when = in.Timestamp.Time
	}
	if when.Before(now.Add(-maxAge)) || when.After(now.Add(maxFuture)) {
		return d, invalidValue("The parameter %stimestamp is invalid: it is at most two weeks ago, and two hours ahead.",
			where)
	}
	d.at = when.Unix()
	if err := checkUnit(in.Unit); err != nil {
		return d, err
	}
	if r := valueOr(in.StorageResolution, 60); r != 1 && r != 60 {
		return d, invalidValue("The value %d for parameter %sstorageResolution is invalid: it is 1 or 60.", r, where)
	}
	return d, in.checkValues(where)
}

func (in *MetricDatum) checkValues(where string) error {
	given := 0
	for _, set := range []bool{in.Value != nil, in.Values != nil, in.StatisticValues != nil} {
		if set {
			given++
		}
	}
	switch {
	case given == 0:
		return missing(where + "value")
	case given > 1:
		return invalidCombination(
			"The parameters %svalue, values and statisticValues are mutually exclusive and you have specified more than one.",
			where)
	case len(in.Values) > maxValues:
		return invalidValue("The collection %svalues must not have a size greater than %d.", where, maxValues)
	case in.Counts != nil && len(in.Counts) != len(in.Values):
		return invalidValue("The parameters %svalues and counts must be of the same size.", where)
	}
	for _, value := range append(append([]float64{zero(in.Value)}, in.Values...), in.Counts...) {
		if !finite(value) {
			return invalidValue("The value %v for parameter %svalue is invalid.", value, where)
		}
	}
	for _, n := range in.Counts {
		if n <= 0 {
			return invalidValue("The value %v for parameter %scounts is invalid.", n, where)
		}
	}
	return in.StatisticValues.check(where + "statisticValues")
}

func (s *StatisticSet) check(where string) error {
	if s == nil {
		return nil
	}
	for _, value := range []*float64{s.SampleCount, s.Sum, s.Minimum, s.Maximum} {
		if value == nil || !finite(*value) {
			return invalidValue("The parameter %s needs SampleCount, Sum, Minimum and Maximum.", where)
		}
	}
	if *s.SampleCount <= 0 || *s.Minimum > *s.Maximum {
		return invalidValue("The parameter %s is invalid: SampleCount is above 0 and Minimum at most Maximum.", where)
	}
	return nil
}

// finite reports whether CloudWatch accepts a number: neither infinite nor NaN, and at most 2^360.
func finite(x float64) bool { return math.Abs(x) <= math.Ldexp(1, 360) }

func (d *datum) put(r *metrics.Registry) {
	series := r.Series(d.id, valueOr(d.Unit, "None"))
	if zero(d.StorageResolution) == 1 {
		series = r.HighResolution(d.id, valueOr(d.Unit, "None"))
	}
	switch {
	case d.Value != nil:
		series.Observe(d.at, *d.Value)
	case d.StatisticValues != nil:
		s := d.StatisticValues
		series.ObserveSet(d.at, *s.SampleCount, *s.Sum, *s.Minimum, *s.Maximum)
	}
	for i, value := range d.Values {
		n := 1.0
		if d.Counts != nil {
			n = d.Counts[i]
		}
		series.ObserveN(d.at, value, n)
	}
}
