package kefir

import (
	"cmp"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/jobs/backfill"
)

// Backfill puts what was written under 1.0.0 into the indexes of 1.1.0, in a table of a stage, DefaultStage where it is
// empty (KF-O3). Of what their keys derive from only the status changes.
func Backfill(client *dynamodb.Client, prefix, stage string, segments int) jobs.Job {
	return backfill.Job(client, backfill.Plan{
		Table: tableName(prefix, cmp.Or(stage, DefaultStage)), Key: []string{"PK", "SK"}, Missing: AddedKeys, From: []string{"status"},
	}, segments)
}
