package service

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"
)

func (w *world) kinesis(sc *godog.ScenarioContext) {
	sc.Step(`^a Kinesis stream "([^"]*)" with (\d+) shards?$`, func(ctx context.Context, stream string, shards int) error {
		return w.callKinesis(ctx, "CreateStream", map[string]any{"StreamName": stream, "ShardCount": shards}, nil)
	})
	sc.Step(`^the changes of "([^"]*)" are streamed to the Kinesis stream "([^"]*)"$`,
		func(ctx context.Context, table, stream string) error {
			_, err := w.Once.EnableKinesisStreamingDestination(ctx, &dynamodb.EnableKinesisStreamingDestinationInput{
				TableName: w.Table(table), StreamArn: kinesisARN(stream)})
			return err
		})
	sc.Step(`^the changes of "([^"]*)" are no longer streamed to the Kinesis stream "([^"]*)"$`,
		func(ctx context.Context, table, stream string) error {
			_, err := w.Once.DisableKinesisStreamingDestination(ctx, &dynamodb.DisableKinesisStreamingDestinationInput{
				TableName: w.Table(table), StreamArn: kinesisARN(stream)})
			return err
		})
	sc.Step(`^the Kinesis stream "([^"]*)" has$`, w.kinesisHas)
	sc.Step(`^the Kinesis stream "([^"]*)" has (\d+) records?$`, w.kinesisCount)
	sc.Step(`^one shard of the Kinesis stream "([^"]*)" has all of them$`, w.kinesisOneShard)
}

func kinesisARN(stream string) *string {
	return aws.String("arn:aws:kinesis:us-east-1:000000000000:stream/" + stream)
}

// kinesisChange is a change of an item in a record, and the shard of the record.
type kinesisChange struct {
	EventName string
	Dynamodb  struct{ NewImage, OldImage json.RawMessage }

	shard string
}

// callKinesis sends a request to Kinesis and decodes the response into out, unless it is nil.
func (w *world) callKinesis(ctx context.Context, operation string, in map[string]any, out any) error {
	return w.callJSON(ctx, "kinesis", "Kinesis_20131202."+operation, in, out)
}

// callJSON sends a request to a service of AWS in JSON and decodes the response into out, unless it is nil.
func (w *world) callJSON(ctx context.Context, service, target string, in map[string]any, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.Target.Emulator.DynamoDBURL(),
		strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.1")
	r.Header.Set("X-Amz-Target", target)
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=test/20261121/us-east-1/"+service+
		"/aws4_request, SignedHeaders=host, Signature=0")
	if err := w.send(r); err != nil {
		return err
	}
	if w.response.status != http.StatusOK {
		return fmt.Errorf("%s responds with %d %s", target, w.response.status, w.response.body)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal([]byte(w.response.body), out)
}

// readKinesis returns all changes in a stream, shard after shard.
func (w *world) readKinesis(ctx context.Context, stream string) (all []kinesisChange, err error) {
	var list struct{ Shards []struct{ ShardID string } }
	if err := w.callKinesis(ctx, "ListShards", map[string]any{"StreamName": stream}, &list); err != nil {
		return nil, err
	}
	for _, s := range list.Shards {
		var first struct{ ShardIterator string }
		if err := w.callKinesis(ctx, "GetShardIterator", map[string]any{"StreamName": stream, "ShardId": s.ShardID,
			"ShardIteratorType": "TRIM_HORIZON"}, &first); err != nil {
			return nil, err
		}
		var page struct{ Records []struct{ Data []byte } }
		if err := w.callKinesis(ctx, "GetRecords", map[string]any{"ShardIterator": first.ShardIterator},
			&page); err != nil {
			return nil, err
		}
		for _, r := range page.Records {
			c := kinesisChange{shard: s.ShardID}
			if err := json.Unmarshal(r.Data, &c); err != nil {
				return nil, err
			}
			all = append(all, c)
		}
	}
	return all, nil
}

func (w *world) kinesisCount(ctx context.Context, stream string, want int) error {
	all, err := w.readKinesis(ctx, stream)
	if err == nil && len(all) != want {
		return fmt.Errorf("it has %d", len(all))
	}
	return err
}

// kinesisHas compares the changes in a stream with rows, in the columns of the rows.
func (w *world) kinesisHas(ctx context.Context, stream string, rows *godog.Table) error {
	all, err := w.readKinesis(ctx, stream)
	if err != nil {
		return err
	}
	if len(all) != len(rows.Rows)-1 {
		return fmt.Errorf("it has %d records", len(all))
	}
	for i, c := range all {
		for column, cell := range rows.Rows[i+1].Cells {
			name := rows.Rows[0].Cells[column].Value
			if is := c.column(name); !sameJSON(is, cell.Value) {
				return fmt.Errorf("record %d has %s %s", i+1, name, is)
			}
		}
	}
	return nil
}

// column returns a change's value for a column of a scenario's table, or "" if it has none.
func (c *kinesisChange) column(name string) string {
	image := map[string]json.RawMessage{"before": c.Dynamodb.OldImage, "after": c.Dynamodb.NewImage}[name]
	switch {
	case name == "event":
		return c.EventName
	case image == nil:
		return ""
	}
	it, err := attributevalue.UnmarshalMapJSON(image)
	if err != nil {
		return err.Error()
	}
	var plain map[string]any
	if err := attributevalue.UnmarshalMap(it, &plain); err != nil {
		return err.Error()
	}
	text, err := json.Marshal(plain)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (w *world) kinesisOneShard(ctx context.Context, stream string) error {
	all, err := w.readKinesis(ctx, stream)
	for _, c := range all {
		if c.shard != all[0].shard {
			return fmt.Errorf("some are in %s, others in %s", all[0].shard, c.shard)
		}
	}
	return err
}
