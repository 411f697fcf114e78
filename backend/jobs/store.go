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

// kept is how long the jobs' table remembers what was last written of a job.
const kept = 90 * 24 * time.Hour

// partRun is the sort key of a job's latest run. Those of segments begin with another letter.
const partRun = "run"

// record is the latest run of a job.
type record struct {
	Job        string            `dynamodbav:"job"`
	Run        int64             `dynamodbav:"run"` // its number; 0: there was none yet
	Segments   int               `dynamodbav:"segments"`
	Parameters map[string]string `dynamodbav:"parameters"`
	StartedAt  string            `dynamodbav:"startedAt"`
	FinishedAt string            `dynamodbav:"finishedAt,omitempty"` // empty: not yet
}

// segment is one segment as it was last saved. Its version goes up with every writing, also from run to run, so that a
// write on condition of the version read is refused once somebody else has written.
type segment struct {
	Number  int              `dynamodbav:"-"` // in the sort key
	Run     int64            `dynamodbav:"run"`
	Version int64            `dynamodbav:"version"`
	Owner   string           `dynamodbav:"owner"`
	Until   int64            `dynamodbav:"until"` // of the lease, in epoch milliseconds
	After   position         `dynamodbav:"after,omitempty"`
	Counts  map[string]int64 `dynamodbav:"counts"`
	Done    bool             `dynamodbav:"done"`
}

// position is where a job's step goes on, such as a key of the table that it reads: stored as it is.
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

// errLost is a write that came too late: another worker has the segment, or another run has begun.
var errLost = errors.New("the lease is another's")

func (r *Runner) latest(ctx context.Context, job string) (record, error) {
	out, err := r.cfg.Client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &r.table, ConsistentRead: aws.Bool(true), Key: ddb.Item{"job": ddb.Str(job), "part": ddb.Str(partRun)},
	})
	if err != nil {
		return record{}, ddb.Failure(err)
	}
	return recordOf(job, out.Item), nil
}

func recordOf(job string, in ddb.Item) record {
	rec := record{Job: job, Parameters: map[string]string{}}
	ddb.Unmarshal(in, &rec)
	return rec
}

// save writes a run's record if the run was's number is still the latest.
func (r *Runner) save(ctx context.Context, rec record, was int64) error {
	if rec.Parameters == nil {
		rec.Parameters = map[string]string{}
	}
	in := ddb.Marshal(rec)
	in["part"] = ddb.Str(partRun)
	return r.put(ctx, rec.Job, in, "run", was)
}

// swap writes a segment if nobody has written it since it was read. A writing whose answer was lost, and that the SDK
// therefore sent again, finds its own: that is no loss.
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

// put writes an item of a job on condition that a number of the one before is as it was read; 0 is that of none.
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
	if _, err := r.cfg.Client.PutItem(ctx, put); ddb.Unmet(err) {
		return err
	} else {
		return ddb.Failure(err)
	}
}

// segments are those of a run as they were last saved, in order; what is there of an earlier run is as good as new.
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
				continue // of a run that had more
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

// total adds up what segments counted.
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
