package service

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"
)

func (w *world) insights(sc *godog.ScenarioContext) {
	sc.Step(`^contributor insights of "([^"]*)" are (en|dis)abled$`,
		func(ctx context.Context, table, verb string) error {
			return w.setInsights(ctx, nil, table, verb)
		})
	sc.Step(`^contributor insights of the index "([^"]*)" of "([^"]*)" are (en|dis)abled$`,
		func(ctx context.Context, index, table, verb string) error {
			return w.setInsights(ctx, &index, table, verb)
		})
	sc.Step(`^the keys of "([^"]*)" with the most consumed capacity are "([^"]*)"$`,
		func(ctx context.Context, table, want string) error {
			return w.contributorsAre(ctx, "PKC", table, want)
		})
	sc.Step(`^the keys of "([^"]*)" with the most throttled requests are "([^"]*)"$`,
		func(ctx context.Context, table, want string) error {
			return w.contributorsAre(ctx, "PKT", table, want)
		})
	sc.Step(`^CloudWatch has no rules of "([^"]*)"$`, w.noInsightRules)
}

// setInsights enables ("en") or disables ("dis") the insights of an index, or of the table if index is nil.
func (w *world) setInsights(ctx context.Context, index *string, table, verb string) error {
	action := types.ContributorInsightsActionEnable
	if verb == "dis" {
		action = types.ContributorInsightsActionDisable
	}
	_, err := w.Once.UpdateContributorInsights(ctx, &dynamodb.UpdateContributorInsightsInput{
		TableName: w.Table(table), IndexName: index, ContributorInsightsAction: action})
	return err
}

// insightRules returns the names of CloudWatch's rules of a kind for a table and its indexes.
func (w *world) insightRules(ctx context.Context, kind, table string) (names []string, err error) {
	out, err := w.CloudWatch().DescribeInsightRules(ctx, &cloudwatch.DescribeInsightRulesInput{})
	if err != nil {
		return nil, err
	}
	for _, r := range out.InsightRules {
		if strings.HasPrefix(*r.Name, "DynamoDBContributorInsights-"+kind+"-"+*w.Table(table)+"-") {
			names = append(names, *r.Name)
		}
	}
	return names, nil
}

func (w *world) noInsightRules(ctx context.Context, table string) error {
	for _, kind := range []string{"PKC", "PKT"} {
		names, err := w.insightRules(ctx, kind, table)
		if err != nil || len(names) > 0 {
			return fmt.Errorf("it has %v: %w", names, err)
		}
	}
	return nil
}

// contributorsAre checks the contributors of a table's only rule of a kind in the last hour: keys with their values, in
// the order of the report.
func (w *world) contributorsAre(ctx context.Context, kind, table, want string) error {
	names, err := w.insightRules(ctx, kind, table)
	if err != nil || len(names) != 1 {
		return fmt.Errorf("there are the rules %v: %w", names, err)
	}
	now := w.Target.Emulator.Now()
	report, err := w.CloudWatch().GetInsightRuleReport(ctx, &cloudwatch.GetInsightRuleReportInput{
		RuleName: &names[0], StartTime: aws.Time(now.Add(-time.Hour)), EndTime: aws.Time(now.Add(time.Minute)),
		Period: aws.Int32(60)})
	if err != nil {
		return err
	}
	parts := make([]string, len(report.Contributors))
	for i, c := range report.Contributors {
		parts[i] = fmt.Sprint(strings.Join(c.Keys, "/"), " ", aws.ToFloat64(c.ApproximateAggregateValue))
	}
	if got := strings.Join(parts, ", "); got != want {
		return fmt.Errorf("they are %q", got)
	}
	return nil
}
