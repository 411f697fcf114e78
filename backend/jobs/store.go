package jobs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
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
	job        string
	run        int64 // its number; 0: there was none yet
	segments   int
	parameters map[string]string
	startedAt  string
	finishedAt string // empty: not yet
}

// segment is one segment as it was last saved. Its version goes up with every writing, also from run to run, so that a
// write on condition of the version read is refused once somebody else has written.
type segment struct {
	number  int
	run     int64
	version int64
	owner   string
	until   int64 // of the lease, in epoch milliseconds
	after   ddb.Item
	counts  map[string]int64
	done    bool
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
	rec := record{
		job: job, run: ddb.Integer(in["run"]), segments: int(ddb.Integer(in["segments"])), parameters: map[string]string{},
		startedAt: ddb.Text(in["startedAt"]), finishedAt: ddb.Text(in["finishedAt"]),
	}
	for name, value := range ddb.Members(in["parameters"]) {
		rec.parameters[name] = ddb.Text(value)
	}
	return rec
}

// save writes a run's record if the run was's number is still the latest.
func (r *Runner) save(ctx context.Context, rec record, was int64) error {
	parameters := ddb.Item{}
	for name, value := range rec.parameters {
		parameters[name] = ddb.Str(value)
	}
	in := ddb.Item{
		"part": ddb.Str(partRun), "run": ddb.Number(rec.run), "segments": ddb.Number(rec.segments),
		"parameters": ddb.Object(parameters), "startedAt": ddb.Str(rec.startedAt),
	}
	if rec.finishedAt != "" {
		in["finishedAt"] = ddb.Str(rec.finishedAt)
	}
	return r.put(ctx, rec.job, in, "run", was)
}

// swap writes a segment if nobody has written it since it was read. A writing whose answer was lost, and that the SDK
// therefore sent again, finds its own: that is no loss.
func (r *Runner) swap(ctx context.Context, job string, s segment) (segment, error) {
	was := s.version
	s.version++
	err := r.put(ctx, job, s.item(), "version", was)
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		there := segmentOf(s.number, failed.Item)
		if there.version == s.version && there.owner == s.owner && there.run == s.run {
			return s, nil
		}
		return s, errLost
	}
	return s, err
}

// put writes an item of a job on condition that a number of the one before is as it was read; 0 is that of none.
func (r *Runner) put(ctx context.Context, job string, in ddb.Item, number string, was int64) error {
	in["job"], in["expiresAt"] = ddb.Str(job), ddb.Number(r.cfg.Now().Add(kept).Unix())
	put := &dynamodb.PutItemInput{
		TableName: &r.table, Item: in, ConditionExpression: aws.String("attribute_not_exists(#n)"),
		ExpressionAttributeNames:            map[string]string{"#n": number},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	if was > 0 {
		put.ConditionExpression = aws.String("#n = :was")
		put.ExpressionAttributeValues = ddb.Item{":was": ddb.Number(was)}
	}
	if _, err := r.cfg.Client.PutItem(ctx, put); ddb.Unmet(err) {
		return err
	} else {
		return ddb.Failure(err)
	}
}

// segments are those of a run as they were last saved, in order; what is there of an earlier run is as good as new.
func (r *Runner) segments(ctx context.Context, rec record) ([]segment, error) {
	all := make([]segment, rec.segments)
	for i := range all {
		all[i] = segment{number: i, run: rec.run}
	}
	in := &dynamodb.QueryInput{
		TableName: &r.table, ConsistentRead: aws.Bool(true), KeyConditionExpression: aws.String("#j = :job AND begins_with(#p, :segment)"),
		ExpressionAttributeNames:  map[string]string{"#j": "job", "#p": "part"},
		ExpressionAttributeValues: ddb.Item{":job": ddb.Str(rec.job), ":segment": ddb.Str("segment-")},
	}
	err := ddb.QueryAll(ctx, r.cfg.Client, in, func(items []ddb.Item) error {
		for _, it := range items {
			var number int
			if _, err := fmt.Sscanf(ddb.Text(it["part"]), "segment-%d", &number); err != nil || number >= rec.segments {
				continue // of a run that had more
			}
			s := segmentOf(number, it)
			if s.run > rec.run {
				return errLost
			}
			if s.run < rec.run {
				s = segment{number: number, run: rec.run, version: s.version}
			}
			all[number] = s
		}
		return nil
	})
	return all, err
}

func (s segment) item() ddb.Item {
	counts := ddb.Item{}
	for name, n := range s.counts {
		counts[name] = ddb.Number(n)
	}
	in := ddb.Item{
		"part": ddb.Str(fmt.Sprintf("segment-%04d", s.number)), "run": ddb.Number(s.run), "version": ddb.Number(s.version),
		"owner": ddb.Str(s.owner), "until": ddb.Number(s.until), "counts": ddb.Object(counts), "done": ddb.Bool(s.done),
	}
	if s.after != nil {
		in["after"] = ddb.Object(s.after)
	}
	return in
}

func segmentOf(number int, in ddb.Item) segment {
	s := segment{
		number: number, run: ddb.Integer(in["run"]), version: ddb.Integer(in["version"]), owner: ddb.Text(in["owner"]),
		until: ddb.Integer(in["until"]), after: ddb.Members(in["after"]), counts: map[string]int64{}, done: ddb.Boolean(in["done"]),
	}
	for name, n := range ddb.Members(in["counts"]) {
		s.counts[name] = ddb.Integer(n)
	}
	return s
}

// total adds up what segments counted.
func total(all []segment) (counts map[string]int64, done int) {
	counts = map[string]int64{}
	for _, s := range all {
		add(counts, s.counts)
		if s.done {
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
