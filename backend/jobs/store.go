package jobs

import (
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

// kept is how long items stay in the jobs table after their last write.
const kept = 90 * 24 * time.Hour

// partRun is the sort key of a job's latest run. The sort keys of segments start with another letter.
const partRun = "run"

// record is the latest run of a job.
type record struct {
	Job        string            `dynamodbav:"job"`
	Run        int64             `dynamodbav:"run"` // its number; 0 when there was none yet
	Segments   int               `dynamodbav:"segments"`
	Parameters map[string]string `dynamodbav:"parameters"`
	StartedAt  string            `dynamodbav:"startedAt"`
	FinishedAt string            `dynamodbav:"finishedAt,omitempty"` // empty until then
}

// segment is a segment as last saved. Its version increases with every write, across runs too, so that a write
// conditional on the version that was read fails once anyone else has written.
type segment struct {
	Number  int              `dynamodbav:"-"` // part of the sort key
	Run     int64            `dynamodbav:"run"`
	Version int64            `dynamodbav:"version"`
	Owner   string           `dynamodbav:"owner"`
	Until   int64            `dynamodbav:"until"` // end of the lease, in epoch milliseconds
	After   position         `dynamodbav:"after,omitempty"`
	Counts  map[string]int64 `dynamodbav:"counts"`
	Done    bool             `dynamodbav:"done"`
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

// errLost means that a write came too late: another worker holds the segment, or another run has started.
var errLost = errors.New("another worker holds the lease")

func (r *Runner) latest(ctx context.Context, job string) (record, error) {
	out, err := r.cfg.Client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &r.table, ConsistentRead: aws.Bool(true), Key: ddb.Item{"job": ddb.Str(job), "part": ddb.Str(partRun)},
	})
	if err != nil {
		return record{}, ddb.MapError(err)
	}
	return recordOf(job, out.Item), nil
}

func recordOf(job string, in ddb.Item) record {
	rec := record{Job: job, Parameters: map[string]string{}}
	ddb.Unmarshal(in, &rec)
	return rec
}

// save writes a run's record if the latest run's number is still was.
func (r *Runner) save(ctx context.Context, rec record, was int64) error {
	if rec.Parameters == nil {
		rec.Parameters = map[string]string{}
	}
	in := ddb.Marshal(rec)
	in["part"] = ddb.Str(partRun)
	return r.put(ctx, rec.Job, in, "run", was)
}

// swap writes a segment if nobody has written it since it was read. If the SDK repeats a write whose response was lost,
// the repeat finds its own write, which is not a conflict.
func (r *Runner) swap(ctx context.Context, job string, s segment) (segment, error) {
	was := s.Version
	s.Version++
	err := r.put(ctx, job, s.item(), "version", was)
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		there := segmentOf(s.Number, failed.Item)
		if there.Version == s.Version && there.Owner == s.Owner && there.Run == s.Run {
			return s, nil
		}
		return s, errLost
	}
	return s, err
}

// put writes an item of a job on condition that the named number of the stored item is still was; 0 means that there is
// no item.
func (r *Runner) put(ctx context.Context, job string, in ddb.Item, number string, was int64) error {
	in["job"], in["expiresAt"] = ddb.Str(job), ddb.Number(r.cfg.Now().Add(kept).Unix())
	onlyIf := expression.Name(number).AttributeNotExists()
	if was > 0 {
		onlyIf = expression.Name(number).Equal(expression.Value(was))
	}
	e := ddb.Build(expression.NewBuilder().WithCondition(onlyIf))
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
func (r *Runner) segments(ctx context.Context, rec record) ([]segment, error) {
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
			s := segmentOf(number, it)
			if s.Run > rec.Run {
				return errLost
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

func segmentOf(number int, in ddb.Item) segment {
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

func add(to, counts map[string]int64) {
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		to[name] += counts[name]
	}
}
