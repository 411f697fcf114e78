package emulator_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TestInsightRulesReportTheHottestKeys enables contributor insights and reads their report from CloudWatch.
func TestInsightRulesReportTheHottestKeys(t *testing.T) {
	t.Parallel()
	s := newStreamingTable(t)
	if _, err := s.client.UpdateContributorInsights(t.Context(), &dynamodb.UpdateContributorInsightsInput{
		TableName:                 aws.String("customer"),
		ContributorInsightsAction: types.ContributorInsightsActionEnable}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"hot", "cold", "hot", "hot"} {
		s.put(t, "id", id)
	}
	watch := cloudwatch.NewFromConfig(s.emulator.AWSConfig())
	rules, err := watch.DescribeInsightRules(t.Context(), &cloudwatch.DescribeInsightRulesInput{})
	if err != nil || len(rules.InsightRules) != 2 {
		t.Fatalf("%+v, %v", rules, err)
	}
	name := "DynamoDBContributorInsights-PKC-customer-1795262400000"
	if got := aws.ToString(rules.InsightRules[0].Name); got != name {
		t.Errorf("the first rule is %s, want %s", got, name)
	}
	in := cloudwatch.GetInsightRuleReportInput{RuleName: aws.String(name), StartTime: aws.Time(kinesisNoon),
		EndTime: aws.Time(kinesisNoon.Add(time.Minute)), Period: aws.Int32(60)}
	report, err := watch.GetInsightRuleReport(t.Context(), &in)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Contributors) != 2 || aws.ToFloat64(report.AggregateValue) != 4 {
		t.Fatalf("%+v", report)
	}
	hot := report.Contributors[0]
	if hot.Keys[0] != "hot" || aws.ToFloat64(hot.ApproximateAggregateValue) != 3 || len(hot.Datapoints) != 1 {
		t.Errorf("%+v", hot)
	}
}
