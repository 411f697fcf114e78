package cloudwatch

import "net/http"

// GetInsightRuleReportInput requests the contributors of a rule in a period.
type GetInsightRuleReportInput struct {
	RuleName            *string
	StartTime           *Time
	EndTime             *Time
	Period              *int64
	MaxContributorCount *int64
}

// GetInsightRuleReportOutput is the response of GetInsightRuleReport. It has no MetricDatapoints.
type GetInsightRuleReportOutput struct {
	KeyLabels              []string
	AggregationStatistic   string
	AggregateValue         float64
	ApproximateUniqueCount int64
	Contributors           []InsightRuleContributor `json:",omitempty"`
}

// InsightRuleContributor is a contributor, with its value in each minute in which it has one.
type InsightRuleContributor struct {
	Keys                      []string
	ApproximateAggregateValue float64
	Datapoints                []InsightRuleContributorDatapoint
}

// InsightRuleContributorDatapoint is a contributor's value in a minute.
type InsightRuleContributorDatapoint struct {
	Timestamp        *Time
	ApproximateValue float64
}

// The numbers of contributors of a report. (API reference.)
const (
	usualContributors = 10
	maxContributors   = 100
)

// getInsightRuleReport reports the contributors of a rule, from the load of the last three hours. Its error messages
// are the emulator's own, except those that all operations share.
func getInsightRuleReport(c *caller, in *GetInsightRuleReportInput) (*GetInsightRuleReportOutput, error) {
	switch {
	case in.RuleName == nil:
		return nil, missing("RuleName")
	case in.StartTime == nil:
		return nil, missing("StartTime")
	case in.EndTime == nil:
		return nil, missing("EndTime")
	case in.Period == nil:
		return nil, missing("Period")
	case !in.StartTime.Before(in.EndTime.Time):
		return nil, invalidValue("The parameter StartTime must be less than the parameter EndTime.")
	}
	most := int64(usualContributors)
	if in.MaxContributorCount != nil {
		if most = *in.MaxContributorCount; most < 1 || most > maxContributors {
			return nil, invalidValue("MaxContributorCount must be between 1 and 100.")
		}
	}
	for _, r := range c.insightRules() {
		if r.Name != *in.RuleName {
			continue
		}
		all, sum := r.contributors(in.StartTime.Time, in.EndTime.Time)
		return &GetInsightRuleReportOutput{KeyLabels: r.Keys, AggregationStatistic: "SUM", AggregateValue: sum,
			ApproximateUniqueCount: int64(len(all)), Contributors: all[:min(int64(len(all)), most)]}, nil
	}
	return nil, &Error{http.StatusNotFound, "ResourceNotFoundException", "ResourceNotFoundException",
		"The rule " + *in.RuleName + " does not exist."}
}
