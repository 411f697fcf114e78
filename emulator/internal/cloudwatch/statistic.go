package cloudwatch

import (
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// statistic computes one number from the observations of a period.
type statistic struct {
	name    string
	percent float64 // of a percentile
}

var percentile = lazyregexp.New(`^[pP](\d{1,2}(\.\d{1,10})?|100)$`)

// parseStatistic parses a value of Stat or ExtendedStatistic. ok is false for statistics that the emulator does not
// support, such as trimmed means and percentile ranks.
func parseStatistic(name string) (s statistic, ok bool) {
	switch name {
	case "SampleCount", "Average", "Sum", "Minimum", "Maximum":
		return statistic{name: name}, true
	}
	if !percentile.MatchString(name) {
		return statistic{}, false
	}
	percent, err := strconv.ParseFloat(strings.TrimLeft(name, "pP"), 64)
	return statistic{name: name, percent: percent}, err == nil
}

func (s statistic) isPercentile() bool { return strings.HasPrefix(strings.ToLower(s.name), "p") }

// of returns the statistic of a period's observations; ok is false if they do not have it.
func (s statistic) of(p *metrics.Point) (value float64, ok bool) {
	switch s.name {
	case "SampleCount":
		return p.Count, true
	case "Average":
		return p.Average(), true
	case "Sum":
		return p.Sum, true
	case "Minimum":
		return p.Min, true
	case "Maximum":
		return p.Max, true
	}
	return p.Percentile(s.percent)
}

// minSamples returns the number of observations below which a percentile is a low sample.
func (s statistic) minSamples() float64 {
	part := s.percent / 100
	switch {
	case !s.isPercentile() || part <= 0 || part >= 1:
		return 0
	case part >= 0.5:
		return 10 / (1 - part)
	}
	return 10 / part
}

// unsupportedStatistic returns the error for a statistic that is not supported.
func unsupportedStatistic(member, name string) *Error {
	return invalidValue("The value %s for parameter %s is not supported: use SampleCount, Average, Sum, Minimum, Maximum, or a percentile such as p99.",
		name, member)
}
