package cloudwatch

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
)

// ListMetricsInput selects metrics.
type ListMetricsInput struct {
	Namespace             *string
	MetricName            *string
	Dimensions            []Dimension // an absent value matches any
	RecentlyActive        *string
	IncludeLinkedAccounts *bool
	OwningAccount         *string
	NextToken             *string
}

// ListMetricsOutput is the response, in the order of namespaces, names and dimensions.
type ListMetricsOutput struct {
	Metrics   []Metric `json:",omitempty"`
	NextToken *string  `json:",omitempty"`
}

// metricsPerPage is the number of metrics in a page of ListMetrics.
const metricsPerPage = 500

// A metric is listed for two weeks after its newest data, and counts as recently active for three hours.
const (
	listingPeriod    = 14 * 24 * time.Hour
	recentPeriod     = 3 * time.Hour
	recentPeriodText = "PT3H"
)

func listMetrics(c *caller, in *ListMetricsInput) (*ListMetricsOutput, error) {
	since := c.clock.Now().Add(-listingPeriod)
	if in.RecentlyActive != nil {
		if *in.RecentlyActive != recentPeriodText {
			return nil, constraintError(*in.RecentlyActive, "recentlyActive", "Member must satisfy enum value set: [PT3H]")
		}
		since = c.clock.Now().Add(-recentPeriod)
	}
	for _, d := range in.Dimensions {
		if zero(d.Name) == "" {
			return nil, mustNotBeNull("dimensions.member.name")
		}
	}
	skip, err := offsetOf(in.NextToken)
	if err != nil {
		return nil, err
	}
	ids := c.metrics.List(func(id metrics.ID, last time.Time) bool {
		return c.work.Step(1+len(in.Dimensions)) == nil && in.matches(c.account, id) && last.After(since)
	})
	if err := c.work.Err(); err != nil {
		return nil, err
	}
	ids, next := slicePage(ids, skip, metricsPerPage)
	out := &ListMetricsOutput{NextToken: next}
	for _, id := range ids {
		out.Metrics = append(out.Metrics, Metric{&id.Namespace, &id.Name, dimensionsOf(id)})
	}
	return out, nil
}

func (in *ListMetricsInput) matches(account string, id metrics.ID) bool {
	if id.Account != account || in.Namespace != nil && *in.Namespace != id.Namespace || in.MetricName != nil &&
		*in.MetricName != id.Name {
		return false
	}
	for _, d := range in.Dimensions {
		value := id.Value(*d.Name)
		if value == "" || d.Value != nil && *d.Value != value {
			return false
		}
	}
	return true
}
