package kefir

import (
	"cmp"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/jobs/backfill"
)

// Backfill returns the job that adds items written under 1.0.0 to the indexes of 1.1.0, in the table of a stage
// (DefaultStage when empty) (KF-O3). Of the attributes from which the index keys derive, only the status is mutable.
func Backfill(client *dynamodb.Client, prefix, stage string, segments int) jobs.Job {
	return backfill.Job(client, backfill.Plan{
		Table: tableName(prefix, cmp.Or(stage, DefaultStage)), Key: []string{"PK", "SK"}, Missing: AddedKeys,
		From: []string{"status"},
	}, segments)
}
