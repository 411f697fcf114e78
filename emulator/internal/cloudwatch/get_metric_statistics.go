package cloudwatch

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
)

// GetMetricStatisticsInput requests statistics of one metric.
type GetMetricStatisticsInput struct {
	Namespace          *string
	MetricName         *string
	Dimensions         []Dimension
	StartTime          *Time
	EndTime            *Time
	Period             *int64
	Statistics         []string
	ExtendedStatistics []string
	Unit               *string
}

// Datapoint is the statistics of one period.
type Datapoint struct {
	Timestamp          *Time              `json:",omitempty"`
	SampleCount        *float64           `json:",omitempty"`
	Average            *float64           `json:",omitempty"`
	Sum                *float64           `json:",omitempty"`
	Minimum            *float64           `json:",omitempty"`
	Maximum            *float64           `json:",omitempty"`
	Unit               *string            `json:",omitempty"`
	ExtendedStatistics map[string]float64 `json:",omitempty"`
}

// GetMetricStatisticsOutput is the response. The service returns data points in no order; here the oldest is first.
type GetMetricStatisticsOutput struct {
	Label      *string     `json:",omitempty"`
	Datapoints []Datapoint `json:",omitempty"`
}

// maxStatistics is the largest number of data points in a response of GetMetricStatistics.
const maxStatistics = 1440

func getMetricStatistics(c *caller, in *GetMetricStatisticsInput) (*GetMetricStatisticsOutput, error) {
	id, err := c.idOf("", in.Namespace, in.MetricName, in.Dimensions)
	if err != nil {
		return nil, err
	}
	period, err := checkPeriod("period", in.Period)
	if err != nil {
		return nil, err
	}
	if err := in.check(period); err != nil {
		return nil, err
	}
	wanted, err := in.statistics()
	if err != nil {
		return nil, err
	}
	start := in.StartTime.Unix()
	if period%60 == 0 {
		start -= mod(start, 60)
	} else {
		start -= mod(start, period)
	}
	points, unit := c.metrics.Points(id, zero(in.Unit), time.Unix(start, 0), time.Unix(ceiling(in.EndTime.Time), 0),
		time.Duration(period)*time.Second)
	out := &GetMetricStatisticsOutput{Label: in.MetricName}
	for i := range points {
		out.Datapoints = append(out.Datapoints, datapoint(&points[i], wanted, unit))
	}
	return out, nil
}

func (in *GetMetricStatisticsInput) check(period int64) error {
	if err := checkRange(in.StartTime, in.EndTime); err != nil {
		return err
	}
	if err := checkUnit(in.Unit); err != nil {
		return err
	}
	if n := (ceiling(in.EndTime.Time) - in.StartTime.Unix()) / period; n > maxStatistics {
		return invalidCombination("You have requested up to %d datapoints, which exceeds the limit of %d. You may reduce the datapoints requested by increasing Period, or decreasing the time range.",
			n, maxStatistics)
	}
	return nil
}

func (in *GetMetricStatisticsInput) statistics() ([]statistic, error) {
	if len(in.Statistics) == 0 && len(in.ExtendedStatistics) == 0 {
		return nil, invalidCombination("At least one of the parameters Statistics and ExtendedStatistics must be specified.")
	}
	var all []statistic
	for _, name := range in.Statistics {
		s, ok := parseStatistic(name)
		if !ok || s.isPercentile() {
			return nil, constraintError(name, "statistics",
				"Member must satisfy enum value set: [SampleCount, Average, Sum, Minimum, Maximum]")
		}
		all = append(all, s)
	}
	for _, name := range in.ExtendedStatistics {
		s, ok := parseStatistic(name)
		if !ok || !s.isPercentile() {
			return nil, unsupportedStatistic("ExtendedStatistics", name)
		}
		all = append(all, s)
	}
	return all, nil
}

func datapoint(p *metrics.Point, wanted []statistic, unit string) Datapoint {
	d := Datapoint{Timestamp: at(time.Unix(p.At, 0)), Unit: &unit}
	for _, s := range wanted {
		value, ok := s.of(p)
		if !ok {
			continue
		}
		switch s.name {
		case "SampleCount":
			d.SampleCount = &value
		case "Average":
			d.Average = &value
		case "Sum":
			d.Sum = &value
		case "Minimum":
			d.Minimum = &value
		case "Maximum":
			d.Maximum = &value
		default:
			if d.ExtendedStatistics == nil {
				d.ExtendedStatistics = map[string]float64{}
			}
			d.ExtendedStatistics[s.name] = value
		}
	}
	return d
}
