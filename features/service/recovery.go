package service

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/wire"
)

func (w *world) recovery(sc *godog.ScenarioContext) {
	sc.Step(`^point-in-time recovery is enabled for the table "([^"]*)"$`, w.enableRecovery)
	sc.Step(`^this moment is saved as "([^"]*)"$`, w.remember)
	sc.Step(`^"([^"]*)" is restored into "([^"]*)" as it was (\d+) seconds? (before|after) "([^"]*)"$`, w.restoreAt)
	sc.Step(`^"([^"]*)" is restored into "([^"]*)" at the latest restorable time$`, w.restoreLatest)
	sc.Step(`^the table "([^"]*)" holds$`, w.holds)
	sc.Step(`^the table "([^"]*)" holds (\d+) items?$`, func(ctx context.Context, table string, want int32) error {
		return w.holdsMany(ctx, table, nil, want)
	})
	sc.Step(`^the index "([^"]*)" of "([^"]*)" holds (\d+) items?$`,
		func(ctx context.Context, index, table string, want int32) error {
			return w.holdsMany(ctx, table, &index, want)
		})
	sc.Step(`^the table "([^"]*)" has neither a stream nor a time to live nor point-in-time recovery$`,
		w.hasDefaultSettings)
	sc.Step(`^the table "([^"]*)" is (PROVISIONED|PAY_PER_REQUEST) and has no index$`, w.hasNoIndex)
	sc.Step(`^a backup "([^"]*)" of "([^"]*)"$`, w.backUp)
	sc.Step(`^the backup "([^"]*)" is restored into "([^"]*)"$`, w.restoreBackup)
	sc.Step(`^the backup "([^"]*)" is restored into "([^"]*)" with (\d+) reads? and (\d+) writes? a second and no index$`,
		w.restoreCheaply)
	sc.Step(`^the backup "([^"]*)" is deleted$`, w.deleteBackup)
	sc.Step(`^the system backup of "([^"]*)" is deleted$`, func(ctx context.Context, table string) error {
		return w.deleteBackup(ctx, w.systemBackup(table))
	})
	sc.Step(`^the system backup of "([^"]*)" is restored into "([^"]*)"$`,
		func(ctx context.Context, table, target string) error {
			return w.restoreBackup(ctx, w.systemBackup(table), target)
		})
}

// systemBackup returns the name of the backup that the deletion of a table creates.
func (w *world) systemBackup(table string) string { return *w.Table(table) + "$DeletedTableBackup" }

func (w *world) enableRecovery(ctx context.Context, table string) error {
	_, err := w.Once.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{
		TableName: w.Table(table), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: aws.Bool(true)},
	})
	return err
}

func (w *world) remember(moment string) {
	if w.moments == nil {
		w.moments = map[string]time.Time{}
	}
	w.moments[moment] = w.Target.Emulator.Now()
}

func (w *world) restoreAt(ctx context.Context, source, target string, seconds int, direction, moment string) {
	d := time.Duration(seconds) * time.Second
	if direction == "before" {
		d = -d
	}
	_, err := w.Once.RestoreTableToPointInTime(ctx, &dynamodb.RestoreTableToPointInTimeInput{
		SourceTableName: w.Table(source), TargetTableName: w.Table(target),
		RestoreDateTime: aws.Time(w.moments[moment].Add(d)),
	})
	w.Reply = steps.Reply{Err: err}
}

func (w *world) restoreLatest(ctx context.Context, source, target string) error {
	_, err := w.Once.RestoreTableToPointInTime(ctx, &dynamodb.RestoreTableToPointInTimeInput{
		SourceTableName: w.Table(source), TargetTableName: w.Table(target), UseLatestRestorableTime: aws.Bool(true),
	})
	return err
}

// holds compares all items of a table with rows of JSON, in any order.
func (w *world) holds(ctx context.Context, table string, rows *godog.Table) error {
	if w.Err != nil {
		return w.Err
	}
	out, err := w.Once.Scan(ctx, &dynamodb.ScanInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	var got, want []string
	for _, it := range out.Items {
		got = append(got, itemText(it))
	}
	for _, row := range rows.Rows {
		it, err := w.ItemOf(row.Cells[0].Value)
		if err != nil {
			return err
		}
		want = append(want, itemText(it))
	}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		return fmt.Errorf("it holds %s", strings.Join(got, ", "))
	}
	return nil
}

// itemText returns an item as text that differs if the type of an attribute does.
func itemText(item steps.Item) string { return wire.Value(&types.AttributeValueMemberM{Value: item}) }

func (w *world) holdsMany(ctx context.Context, table string, index *string, want int32) error {
	out, err := w.Once.Scan(ctx, &dynamodb.ScanInput{TableName: w.Table(table), IndexName: index,
		Select: types.SelectCount})
	if err == nil && out.Count != want {
		return fmt.Errorf("it holds %d", out.Count)
	}
	return err
}

func (w *world) hasDefaultSettings(ctx context.Context, table string) error {
	described, err := w.Once.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	life, err := w.Once.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	backups, err := w.Once.DescribeContinuousBackups(ctx,
		&dynamodb.DescribeContinuousBackupsInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	recovery := backups.ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus
	if described.Table.LatestStreamArn != nil ||
		life.TimeToLiveDescription.TimeToLiveStatus != types.TimeToLiveStatusDisabled ||
		recovery != types.PointInTimeRecoveryStatusDisabled {
		return fmt.Errorf("its stream is %q, its time to live %s, its recovery %s",
			aws.ToString(described.Table.LatestStreamArn), life.TimeToLiveDescription.TimeToLiveStatus, recovery)
	}
	return nil
}

func (w *world) hasNoIndex(ctx context.Context, table, billing string) error {
	out, err := w.Once.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	mode := string(types.BillingModeProvisioned)
	if out.Table.BillingModeSummary != nil {
		mode = string(out.Table.BillingModeSummary.BillingMode)
	}
	if mode != billing || len(out.Table.GlobalSecondaryIndexes) > 0 {
		return fmt.Errorf("it is %s and has %d indexes", mode, len(out.Table.GlobalSecondaryIndexes))
	}
	return nil
}
