package kefir

import (
	"cmp"
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/jobs/backfill"
)

// Backfill returns the job that adds items written under 1.0.0 to the indexes of 1.1.0, in the table of a stage
// (DefaultStage when empty) (KF-O3). Of the attributes from which the index keys derive, only the status is mutable.
// It adds reminders to hours that the scheduler may have passed, so the scheduler's next run scans.
func Backfill(client *dynamodb.Client, prefix, stage string, segments int) jobs.Job {
	table := tableName(prefix, cmp.Or(stage, DefaultStage))
	job := backfill.Job(client, backfill.Plan{
		Table: table, Key: []string{"PK", "SK"}, Missing: AddedKeys, From: []string{"status"},
	}, segments)
	fill := job.Step
	job.Step = func(ctx context.Context, in jobs.StepInput) (jobs.StepResult, error) {
		step, err := fill(ctx, in)
		if err == nil && step.Next == nil && !in.DryRun { // the end of a segment, which is repeated if it was not saved
			err = (&store{client: client, table: &table}).removeCheckpoint(ctx)
		}
		return step, err
	}
	return job
}
