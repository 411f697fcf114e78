// Package drill rehearses a recovery: it restores a table to a point in time as a copy, compares the copy item by item,
// and deletes it. A backup that has never been restored proves nothing.
//
// The drill compares the copy with the current table, which shows what has changed since, and, if one is given, with a
// fingerprint that was recorded at that point in time and must match. Both comparisons proceed page by page, so that a
// table of any size needs little memory. An interrupted drill resumes, and still deletes its copy.
package drill

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// Latest, as the point in time, is the latest restorable time, about five minutes ago.
const Latest = "latest"

// Names of a run's counts.
const (
	Restored = "restored" // items of the copy
	Same     = "same"     // of these, items that the table has unchanged
	Changed  = "changed"  // of these, items that the table has changed
	Gone     = "gone"     // of these, items that the table no longer has
	New      = "new"      // items of the table that the copy lacks
	Verified = "verified" // 1 if the copy matches the fingerprint
	Differs  = "differs"  // 1 if it does not
)

// Names of the run's parameters.
const (
	paramAt, paramCopy, paramKeep, paramItems, paramSum = "at", "copy", "keep", "items", "sum"
)

// pageSize is the number of items compared per step, the maximum of one BatchGetItem.
const pageSize = 100

// poll is the interval of polling a table that is being created or deleted.
const poll = 2 * time.Second

// Plan describes a drill.
type Plan struct {
	Table  string
	At     string // RFC 3339, or Latest
	Keep   bool   // keep the copy afterwards
	Copy   string // name of the copy; default: the table's name, -drill- and the current time
	Expect *Fingerprint
	Now    time.Time
	Wait   func(context.Context, time.Duration) error // for pauses; sleeps when nil
}

// ErrNoRecovery means that point-in-time recovery is off, so that the table cannot be restored.
var ErrNoRecovery = errors.New(
	"point-in-time recovery is disabled: enable it; only later points in time can then be restored")

// ErrCopyExists means that a table with the name of the copy already exists.
var ErrCopyExists = errors.New("the table already exists, so nothing was restored: use another --into with --restart")

// Job returns the job of a plan. It has one segment, because its phases are sequential.
func Job(client *dynamodb.Client, p Plan) jobs.Job {
	if p.Copy == "" {
		p.Copy = p.Table + "-drill-" + p.Now.UTC().Format("20060102T150405")
	}
	parameters := map[string]string{paramAt: p.At, paramCopy: p.Copy, paramKeep: strconv.FormatBool(p.Keep)}
	if p.Expect != nil {
		parameters[paramItems], parameters[paramSum] = strconv.FormatInt(p.Expect.Items, 10), p.Expect.Sum
	}
	if p.Wait == nil {
		p.Wait = pause.For
	}
	d := &drill{client: client, table: p.Table, wait: p.Wait}
	return jobs.Job{Name: "restore-drill " + p.Table + " at " + p.At, Segments: 1, Parameters: parameters, Step: d.step}
}

type drill struct {
	client *dynamodb.Client
	table  string
	wait   func(context.Context, time.Duration) error
}

// The phases of a drill, in order. Each step returns the phase of the next step.
const (
	phaseCheck        = ""
	phaseRestore      = "restore"
	phaseWait         = "wait"
	phaseCompareCopy  = "forth"
	phaseCompareTable = "back"
	phaseDelete       = "delete"
	phaseAwaitDeleted = "gone"
)

func phase(name string) jobs.StepResult {
	return jobs.StepResult{Next: ddb.Item{"phase": ddb.Str(name)}}
}

func (d *drill) step(ctx context.Context, in jobs.StepInput) (jobs.StepResult, error) {
	switch current := ddb.Text(in.After["phase"]); {
	case in.DryRun:
		return jobs.StepResult{}, d.checkRestorable(ctx)
	case current == phaseCheck:
		return phase(phaseRestore), d.checkNameFree(ctx, in.Parameters[paramCopy])
	case current == phaseRestore:
		return phase(phaseWait), d.restore(ctx, in.Parameters)
	case current == phaseWait:
		return d.awaitActive(ctx, in.Parameters[paramCopy])
	case current == phaseCompareCopy:
		return d.compareCopy(ctx, in)
	case current == phaseCompareTable:
		return d.compareTable(ctx, in)
	case current == phaseDelete:
		return phase(phaseAwaitDeleted), d.delete(ctx, in.Parameters[paramCopy])
	default:
		return d.awaitDeleted(ctx, in.Parameters[paramCopy])
	}
}

// checkNameFree returns nil if no table has the copy's name; an existing one would be mistaken for the restored copy.
// It is a step of its own, so that a resumed run recognizes its copy.
func (d *drill) checkNameFree(ctx context.Context, table string) error {
	_, err := d.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	switch err = ddb.MapError(err); {
	case err == nil:
		return fmt.Errorf("table %s: %w", table, ErrCopyExists)
	case errors.Is(err, ddb.ErrNoTables):
		return nil
	}
	return err
}

// checkRestorable returns nil if the table can be restored.
func (d *drill) checkRestorable(ctx context.Context) error {
	out, err := d.client.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: &d.table})
	if err != nil {
		return d.restoreError(err)
	}
	recovery := out.ContinuousBackupsDescription.PointInTimeRecoveryDescription
	if recovery == nil || recovery.PointInTimeRecoveryStatus != types.PointInTimeRecoveryStatusEnabled {
		return fmt.Errorf("table %s: %w", d.table, ErrNoRecovery)
	}
	return nil
}

func (d *drill) restore(ctx context.Context, parameters map[string]string) error {
	in := &dynamodb.RestoreTableToPointInTimeInput{SourceTableName: &d.table,
		TargetTableName: aws.String(parameters[paramCopy])}
	if parameters[paramAt] == Latest {
		in.UseLatestRestorableTime = aws.Bool(true)
	} else {
		moment, err := time.Parse(time.RFC3339, parameters[paramAt])
		if err != nil {
			return fmt.Errorf("the point in time %q is invalid: use 2026-01-31T12:00:00Z or %s", parameters[paramAt], Latest)
		}
		in.RestoreDateTime = &moment
	}
	_, err := d.client.RestoreTableToPointInTime(ctx, in)
	return d.restoreError(err)
}

// restoreError maps the errors of a restore. That the copy already exists is no error: this run created it.
func (d *drill) restoreError(err error) error {
	var recoveryOff *types.PointInTimeRecoveryUnavailableException
	var exists *types.TableAlreadyExistsException
	var inUse *types.TableInUseException
	var notFound *types.TableNotFoundException
	switch {
	case errors.As(err, &exists), errors.As(err, &inUse):
		return nil
	case errors.As(err, &recoveryOff):
		return fmt.Errorf("table %s: %w", d.table, ErrNoRecovery)
	case errors.As(err, &notFound):
		return fmt.Errorf("table %s does not exist: list the tables with tabletop tables describe", d.table)
	}
	return ddb.MapError(err)
}

func (d *drill) awaitActive(ctx context.Context, table string) (jobs.StepResult, error) {
	out, err := d.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	if err != nil {
		return jobs.StepResult{}, ddb.MapError(err)
	}
	if out.Table.TableStatus != types.TableStatusActive {
		return phase(phaseWait), d.wait(ctx, poll)
	}
	return phase(phaseCompareCopy), nil
}

func (d *drill) delete(ctx context.Context, table string) error {
	_, err := d.client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &table})
	if err = ddb.MapError(err); errors.Is(err, ddb.ErrNoTables) {
		return nil
	}
	return err
}

func (d *drill) awaitDeleted(ctx context.Context, table string) (jobs.StepResult, error) {
	_, err := d.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	switch err = ddb.MapError(err); {
	case errors.Is(err, ddb.ErrNoTables):
		return jobs.StepResult{}, nil
	case err != nil:
		return jobs.StepResult{}, err
	}
	return phase(phaseAwaitDeleted), d.wait(ctx, poll)
}
