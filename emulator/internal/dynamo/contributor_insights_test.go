package dynamo_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestContributorInsightsBeyondTheQuotaFail enables insights until the account has 100 rules. (aws-controllers-k8s/
// dynamodb-controller, 2026-10-09: the 101st rule is accepted, and the status is FAILED two seconds later. It stays so
// until a later request enables or disables them.)
func TestContributorInsightsBeyondTheQuotaFail(t *testing.T) {
	t.Parallel()
	c := newConversation(t)
	enable := func(table string) string {
		return c.say(t, "UpdateContributorInsights", fmt.Sprintf(`{"TableName":%q,"ContributorInsightsAction":"ENABLE"}`, table))
	}
	status := func(table string) string {
		return c.say(t, "DescribeContributorInsights", fmt.Sprintf(`{"TableName":%q}`, table))
	}
	for i := range 51 {
		table := fmt.Sprintf("table-%d", i)
		c.say(t, "CreateTable", fmt.Sprintf(`{"TableName":%q,"BillingMode":"PAY_PER_REQUEST",
			"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
			"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}`, table))
		if answer := enable(table); !strings.Contains(answer, `"ENABLING"`) {
			t.Fatalf("%s: %s", table, answer)
		}
	}
	failed := status("table-50")
	for _, want := range []string{`"FAILED"`, `"LimitExceededException"`,
		"Amazon CloudWatch Contributor Insights rule limit reached. Please disable Contributor Insights for other " +
			"tables/indexes OR disable other CloudWatch Contributor Insights rules before retrying."} {
		if !strings.Contains(failed, want) {
			t.Errorf("%s does not contain %s", failed, want)
		}
	}
	if strings.Contains(failed, "RuleList") {
		t.Errorf("a failure has rules: %s", failed)
	}
	c.say(t, "UpdateContributorInsights", `{"TableName":"table-0","ContributorInsightsAction":"DISABLE"}`)
	if answer := status("table-50"); !strings.Contains(answer, `"FAILED"`) {
		t.Errorf("not FAILED after rules were removed: %s", answer)
	}
	enable("table-50")
	if answer := status("table-50"); !strings.Contains(answer, `"ENABLED"`) {
		t.Errorf("not ENABLED by the next request: %s", answer)
	}
}
