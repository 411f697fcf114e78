package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// retention is how long items stay in the jobs table after their last write.
const retention = 90 * 24 * time.Hour

// partRun is the sort key of a job's latest run. The sort keys of segments start with another letter.
const partRun = "run"

// runRecord is the latest run of a job.
type runRecord struct {
	Job        string            `dynamodbav:"job"`
	Run        int64             `dynamodbav:"run"` // its number; 0 when there was none yet
	Segments   int               `dynamodbav:"segments"`
	Parameters map[string]string `dynamodbav:"parameters"`
	StartedAt  string            `dynamodbav:"startedAt"`
	FinishedAt string            `dynamodbav:"finishedAt,omitempty"` // empty until then
	Failed     bool              `dynamodbav:"failed,omitempty"`     // finished, but a segment has a failure
}

// segment is a segment as last saved. Its version increases with every write, across runs too, so that a write
// conditional on the version that was read fails once anyone else has written.
type segment struct {
	Number   int              `dynamodbav:"-"` // part of the sort key
	Run      int64            `dynamodbav:"run"`
	Version  int64            `dynamodbav:"version"`
	Owner    string           `dynamodbav:"owner"`
	LeaseEnd int64            `dynamodbav:"until"` // end of the lease, in epoch milliseconds
	After    position         `dynamodbav:"after,omitempty"`
	Counts   map[string]int64 `dynamodbav:"counts"`
	Done     bool             `dynamodbav:"done"`
	Failure  string           `dynamodbav:"failure,omitempty"` // the first PartialError of its pages
}

// position is where a job's step continues, such as a key of the table that it reads; it is stored unchanged.
type position ddb.Item

// MarshalDynamoDBAttributeValue implements attributevalue.Marshaler.
func (p position) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	return &types.AttributeValueMemberM{Value: p}, nil
}

// UnmarshalDynamoDBAttributeValue implements attributevalue.Unmarshaler.
func (p *position) UnmarshalDynamoDBAttributeValue(v types.AttributeValue) error {
	*p = ddb.Members(v)
	return nil
}

// errLeaseLost means that a write came too late: another worker holds the segment, or another run has started.
var errLeaseLost = errors.New("another worker holds the lease")

func (r *Runner) latest(ctx context.Context, job string) (runRecord, error) {
	out, err := r.cfg.Client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &r.table, ConsistentRead: aws.Bool(true), Key: ddb.Item{"job": ddb.Str(job), "part": ddb.Str(partRun)},
	})
	if err != nil {
		return runRecord{}, ddb.MapError(err)
	}
	return decodeRun(job, out.Item), nil
}

func decodeRun(job string, in ddb.Item) runRecord {
	rec := runRecord{Job: job, Parameters: map[string]string{}}
	ddb.Unmarshal(in, &rec)
	return rec
}

// save writes a run's record if the latest run's number is still previous.
func (r *Runner) save(ctx context.Context, rec runRecord, previous int64) error {
	if rec.Parameters == nil {
		rec.Parameters = map[string]string{}
	}
	in := ddb.Marshal(rec)
	in["part"] = ddb.Str(partRun)
	return r.put(ctx, rec.Job, in, "run", previous)
}

// updateSegment writes a segment if nobody has written it since it was read. If the SDK repeats a write whose response
// was lost, the repeat finds its own write, which is not a conflict.
func (r *Runner) updateSegment(ctx context.Context, job string, s segment) (segment, error) {
	version := s.Version
	s.Version++
	err := r.put(ctx, job, s.item(), "version", version)
	if item, failed := ddb.FailedItem(err); failed {
		stored := decodeSegment(s.Number, item)
		if stored.Version == s.Version && stored.Owner == s.Owner && stored.Run == s.Run {
			return s, nil
		}
		return s, errLeaseLost
	}
	return s, err
}

// put writes an item of a job on condition that this attribute of the stored item is still previous; 0 means that there
// is no item.
func (r *Runner) put(ctx context.Context, job string, in ddb.Item, attribute string, previous int64) error {
	in["job"], in["expiresAt"] = ddb.Str(job), ddb.Number(r.cfg.Now().Add(retention).Unix())
	condition := expression.Name(attribute).AttributeNotExists()
	if previous > 0 {
		condition = expression.Name(attribute).Equal(expression.Value(previous))
	}
	e := ddb.Build(expression.NewBuilder().WithCondition(condition))
	put := &dynamodb.PutItemInput{
		TableName: &r.table, Item: in, ConditionExpression: e.Condition(),
		ExpressionAttributeNames: e.Names(), ExpressionAttributeValues: e.Values(),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	if _, err := r.cfg.Client.PutItem(ctx, put); ddb.ConditionFailed(err) {
		return err
	} else {
		return ddb.MapError(err)
	}
}

// segments returns the segments of a run as last saved, in order; those that an earlier run left count as new.
func (r *Runner) segments(ctx context.Context, rec runRecord) ([]segment, error) {
	all := make([]segment, rec.Segments)
	for i := range all {
		all[i] = segment{Number: i, Run: rec.Run}
	}
	in := ddb.Where(&dynamodb.QueryInput{TableName: &r.table, ConsistentRead: aws.Bool(true)},
		expression.Key("job").Equal(expression.Value(rec.Job)).And(expression.Key("part").BeginsWith("segment-")))
	err := ddb.QueryAll(ctx, r.cfg.Client, in, func(items []ddb.Item) error {
		for _, it := range items {
			var number int
			if _, err := fmt.Sscanf(ddb.Text(it["part"]), "segment-%d", &number); err != nil || number >= rec.Segments {
				continue // left by a run with more segments
			}
			s := decodeSegment(number, it)
			if s.Run > rec.Run {
				return errLeaseLost
			}
			if s.Run < rec.Run {
				s = segment{Number: number, Run: rec.Run, Version: s.Version}
			}
			all[number] = s
		}
		return nil
	})
	return all, err
}

func (s segment) item() ddb.Item {
	if s.Counts == nil {
		s.Counts = map[string]int64{}
	}
	in := ddb.Marshal(s)
	in["part"] = ddb.Str(fmt.Sprintf("segment-%04d", s.Number))
	return in
}

func decodeSegment(number int, in ddb.Item) segment {
	s := segment{Number: number, Counts: map[string]int64{}}
	ddb.Unmarshal(in, &s)
	return s
}

// total sums the counts of segments.
func total(all []segment) (counts map[string]int64, done int) {
	counts = map[string]int64{}
	for _, s := range all {
		add(counts, s.Counts)
		if s.Done {
			done++
		}
	}
	return counts, done
}

// failureOf returns an error if segments have failures, which includes the first one.
func failureOf(all []segment) error {
	failed, first := 0, ""
	for _, s := range all {
		if s.Failure != "" {
			failed, first = failed+1, cmp.Or(first, s.Failure)
		}
	}
	switch failed {
	case 0:
		return nil
	case 1:
		return errors.New(first)
	}
	return fmt.Errorf("%d of %d segments failed; the first error: %s", failed, len(all), first)
}

func add(to, counts map[string]int64) {
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		to[name] += counts[name]
	}
}
