package service

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"
)

func (w *world) autoScaling(sc *godog.ScenarioContext) {
	const writes = `the writes of "([^"]*)" are scaled between (\d+) and (\d+) a second`
	sc.Step(`^`+writes+`, with a target of (\d+)%$`, w.scaleByLoad)
	sc.Step(`^in (\d+) hours `+writes+`$`, w.scaleAt)
	sc.Step(`^"([^"]*)" has a capacity of (\d+) writes? a second$`, w.capacityIs)
}

// callScaling sends a request of Application Auto Scaling on the writes of a table.
func (w *world) callScaling(ctx context.Context, operation, table string, in map[string]any) error {
	in["ServiceNamespace"], in["ResourceId"] = "dynamodb", "table/"+*w.Table(table)
	in["ScalableDimension"] = "dynamodb:table:WriteCapacityUnits"
	return w.callJSON(ctx, "application-autoscaling", "AnyScaleFrontendService."+operation, in, nil)
}

// scaleByLoad scales the writes of a table such that their utilization follows a target, in percent.
func (w *world) scaleByLoad(ctx context.Context, table string, least, most, target int) error {
	err := w.callScaling(ctx, "RegisterScalableTarget", table, map[string]any{"MinCapacity": least, "MaxCapacity": most})
	if err != nil {
		return err
	}
	return w.callScaling(ctx, "PutScalingPolicy", table, map[string]any{
		"PolicyName": "load", "PolicyType": "TargetTrackingScaling",
		"TargetTrackingScalingPolicyConfiguration": map[string]any{"TargetValue": target,
			"PredefinedMetricSpecification": map[string]any{
				"PredefinedMetricType": "DynamoDBWriteCapacityUtilization"}}})
}

// scaleAt has a scheduled action change the minimum and the maximum of a table's writes once.
func (w *world) scaleAt(ctx context.Context, hours int, table string, least, most int) error {
	at := w.Target.Emulator.Now().Add(time.Duration(hours) * time.Hour).UTC().Format("2006-01-02T15:04:05")
	return w.callScaling(ctx, "PutScheduledAction", table, map[string]any{
		"ScheduledActionName": "chosen", "Schedule": "at(" + at + ")",
		"ScalableTargetAction": map[string]any{"MinCapacity": least, "MaxCapacity": most}})
}

func (w *world) capacityIs(ctx context.Context, table string, want int64) error {
	out, err := w.Once.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	if got := *out.Table.ProvisionedThroughput.WriteCapacityUnits; got != want {
		return fmt.Errorf("it is %d", got)
	}
	return nil
}
