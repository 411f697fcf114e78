package cloudwatch

// DescribeInsightRulesInput requests a page of the rules of contributor insights.
type DescribeInsightRulesInput struct {
	NextToken  *string // the name of the last rule of the previous page
	MaxResults *int64
}

// DescribeInsightRulesOutput is the response of DescribeInsightRules.
type DescribeInsightRulesOutput struct {
	InsightRules []InsightRuleDescription `json:",omitempty"`
	NextToken    *string                  `json:",omitempty"`
}

// InsightRuleDescription describes a rule. All rules are managed by DynamoDB; their definitions are unknown.
type InsightRuleDescription struct {
	Name        string
	State       string
	Schema      string
	Definition  string
	ManagedRule bool
}

// maxInsightRules is the maximum number of rules in a response.
const maxInsightRules = 500

func describeInsightRules(c *caller, in *DescribeInsightRulesInput) (*DescribeInsightRulesOutput, error) {
	limit := int64(maxInsightRules)
	if in.MaxResults != nil {
		if limit = *in.MaxResults; limit < 1 || limit > maxInsightRules {
			return nil, invalidValue("MaxResults must be between 1 and 500.")
		}
	}
	out := &DescribeInsightRulesOutput{}
	for _, r := range c.insightRules() {
		switch {
		case in.NextToken != nil && r.Name <= *in.NextToken:
		case int64(len(out.InsightRules)) == limit:
			out.NextToken = &out.InsightRules[limit-1].Name
			return out, nil
		default:
			out.InsightRules = append(out.InsightRules, InsightRuleDescription{r.Name, "ENABLED",
				`{"Name":"ServiceLogRule","Version":1}`, "{}", true})
		}
	}
	return out, nil
}
