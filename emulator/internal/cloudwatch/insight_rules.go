package cloudwatch

import (
	"cmp"
	"slices"
	"time"
)

// InsightRule is a managed rule of contributor insights, which DynamoDB has created for a table or an index.
type InsightRule struct {
	Name    string
	Keys    []string // what identifies a contributor, such as PartitionKey
	Minutes []InsightMinute
}

// InsightMinute is the load of contributors in a minute.
type InsightMinute struct {
	At     time.Time
	Values map[string]float64 // by contributor
}

// Insights returns the rules of an account's tables, sorted by name.
type Insights func(account string) []InsightRule

func (c *caller) insightRules() []InsightRule {
	if c.insights == nil {
		return nil
	}
	return c.insights(c.account)
}

// contributors returns the contributors of a rule in a period with their sums, the largest first.
func (r *InsightRule) contributors(start, end time.Time) (all []InsightRuleContributor, sum float64) {
	byKey := map[string]*InsightRuleContributor{}
	for _, m := range r.Minutes {
		if m.At.Before(start) || !m.At.Before(end) {
			continue
		}
		for key, value := range m.Values {
			if value == 0 {
				continue
			}
			one, ok := byKey[key]
			if !ok {
				one = &InsightRuleContributor{Keys: []string{key}}
				byKey[key] = one
			}
			one.ApproximateAggregateValue += value
			one.Datapoints = append(one.Datapoints, InsightRuleContributorDatapoint{at(m.At), value})
			sum += value
		}
	}
	for _, one := range byKey {
		all = append(all, *one)
	}
	slices.SortFunc(all, func(a, b InsightRuleContributor) int {
		return cmp.Or(cmp.Compare(b.ApproximateAggregateValue, a.ApproximateAggregateValue), slices.Compare(a.Keys, b.Keys))
	})
	return all, sum
}
