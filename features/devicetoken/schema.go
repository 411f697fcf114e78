package devicetoken

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	cwtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend"
)

func (w *world) schema(sc *godog.ScenarioContext) {
	sc.Step(`^an emulator with the documented table, key and alarms$`, w.documented)
	sc.Step(`^the table has no tags$`, w.untagged)
	sc.Step(`^the table is on demand$`, w.onDemand)
	sc.Step(`^the table is encrypted by the key "([^"]*)", which rotates every (\d+) days$`, w.encrypted)
	sc.Step(`^the table can be recovered to any second of (\d+) days$`, w.recoverable)
	sc.Step(`^CloudWatch counts (no )?(\w+) of the (table|account)$`,
		func(ctx context.Context, no, metric, of string) error {
			return w.counts(ctx, no == "", metric, of == "table", "")
		})
	sc.Step(`^CloudWatch counts (\w+) of (\w+) on the table$`, func(ctx context.Context, metric, operation string) error {
		return w.counts(ctx, true, metric, true, operation)
	})
}

// documented starts a private emulator, creates everything from the description, and starts the service.
func (w *world) documented(ctx context.Context) error {
	if err := w.Restart(); err != nil {
		return err
	}
	systems, err := backend.Choose("devicetoken")
	if err != nil {
		return err
	}
	if notes, err := systems[0].Create(ctx, w.Target.Config, w.Prefix); err != nil || len(notes) > 0 {
		return fmt.Errorf("the tables: %w %v", err, notes)
	}
	return w.start(w.RecordedConfig())
}

func (w *world) describe(ctx context.Context) (*types.TableDescription, error) {
	out, err := w.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.Table(table)})
	if err != nil {
		return nil, err
	}
	return out.Table, nil
}

func (w *world) untagged(ctx context.Context) error {
	d, err := w.describe(ctx)
	if err != nil {
		return err
	}
	out, err := w.Client.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: d.TableArn})
	if err == nil && len(out.Tags) > 0 {
		err = fmt.Errorf("it has %d", len(out.Tags))
	}
	return err
}

func (w *world) onDemand(ctx context.Context) error {
	d, err := w.describe(ctx)
	if err == nil && (d.BillingModeSummary == nil || d.BillingModeSummary.BillingMode != types.BillingModePayPerRequest) {
		err = fmt.Errorf("it is %+v", d.BillingModeSummary)
	}
	return err
}

// encrypted resolves the alias to its key, and compares the key with the table's.
func (w *world) encrypted(ctx context.Context, alias string, days int32) error {
	d, err := w.describe(ctx)
	if err != nil {
		return err
	}
	keys := kms.NewFromConfig(w.Target.Config)
	key, err := keys.DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: &alias})
	if err != nil {
		return err
	}
	if d.SSEDescription == nil || aws.ToString(d.SSEDescription.KMSMasterKeyArn) != *key.KeyMetadata.Arn {
		return fmt.Errorf("it is encrypted by %+v", d.SSEDescription)
	}
	rotation, err := keys.GetKeyRotationStatus(ctx, &kms.GetKeyRotationStatusInput{KeyId: key.KeyMetadata.KeyId})
	if err == nil && (!rotation.KeyRotationEnabled || aws.ToInt32(rotation.RotationPeriodInDays) != days) {
		err = fmt.Errorf("the key rotates: %v, every %d days", rotation.KeyRotationEnabled,
			aws.ToInt32(rotation.RotationPeriodInDays))
	}
	return err
}

func (w *world) recoverable(ctx context.Context, days int32) error {
	out, err := w.Client.DescribeContinuousBackups(ctx,
		&dynamodb.DescribeContinuousBackupsInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	d := out.ContinuousBackupsDescription.PointInTimeRecoveryDescription
	if d.PointInTimeRecoveryStatus != types.PointInTimeRecoveryStatusEnabled ||
		aws.ToInt32(d.RecoveryPeriodInDays) != days {
		return fmt.Errorf("recovery is %s, of %d days", d.PointInTimeRecoveryStatus, aws.ToInt32(d.RecoveryPeriodInDays))
	}
	return nil
}

// counts checks whether a DynamoDB metric has data in the last hour.
func (w *world) counts(ctx context.Context, want bool, metric string, ofTable bool, operation string) error {
	var dimensions []cwtypes.Dimension
	if ofTable {
		dimensions = append(dimensions, cwtypes.Dimension{Name: aws.String("TableName"), Value: w.Table(table)})
	}
	if operation != "" {
		dimensions = append(dimensions, cwtypes.Dimension{Name: aws.String("Operation"), Value: &operation})
	}
	now := w.Target.Emulator.Now()
	out, err := w.CloudWatch().GetMetricStatistics(ctx, &cloudwatch.GetMetricStatisticsInput{
		Namespace: aws.String("AWS/DynamoDB"), MetricName: &metric, Dimensions: dimensions, Period: aws.Int32(60),
		StartTime: aws.Time(now.Add(-time.Hour)), EndTime: aws.Time(now.Add(time.Minute)),
		Statistics: []cwtypes.Statistic{cwtypes.StatisticSum},
	})
	if err != nil {
		return err
	}
	counted := slices.ContainsFunc(out.Datapoints, func(d cwtypes.Datapoint) bool { return aws.ToFloat64(d.Sum) > 0 })
	if counted != want {
		return fmt.Errorf("it counted: %v", counted)
	}
	return nil
}
