package advice

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// batchOf returns a batch that puts five events, from a number on.
func batchOf(from int) map[string][]types.WriteRequest {
	var writes []types.WriteRequest
	for i := range 5 {
		writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{
			Item: item{"id": fmt.Sprint(from + i), "text": "hello"}.attributes()}})
	}
	return map[string][]types.WriteRequest{"events": writes}
}

func (p program) write(items map[string][]types.WriteRequest) map[string][]types.WriteRequest {
	p.Helper()
	out, err := p.BatchWriteItem(p.Context(), &dynamodb.BatchWriteItemInput{RequestItems: items})
	p.must(out, err)
	return out.UnprocessedItems
}

func (p program) read(items map[string]types.KeysAndAttributes) map[string]types.KeysAndAttributes {
	p.Helper()
	out, err := p.BatchGetItem(p.Context(), &dynamodb.BatchGetItemInput{RequestItems: items})
	p.must(out, err)
	return out.UnprocessedKeys
}

// keysOf returns a batch that reads five events, from a number on.
func keysOf(from int) map[string]types.KeysAndAttributes {
	var keys []map[string]types.AttributeValue
	for i := range 5 {
		keys = append(keys, item{"id": fmt.Sprint(from + i)}.attributes())
	}
	return map[string]types.KeysAndAttributes{"events": {Keys: keys}}
}

// partial makes batches leave two members each.
var partial = emulator.Fault{Do: emulator.DoUnprocessed, Members: 2}

func TestUnprocessedIgnored(t *testing.T) {
	t.Parallel()
	const problem = "4 members of batches were not processed and never sent again"
	for name, run := range map[string]func(program, int){
		"writes": func(p program, from int) { p.write(batchOf(from)) },
		"reads":  func(p program, from int) { p.read(keysOf(from)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := wantOne(t, "unprocessed-ignored", "events", problem, func(p program) {
				p.table("events", "id")
				partial := partial
				partial.Times = 2
				p.fail(partial)
				run(p, 0)
				run(p, 10)
				p.get("events", item{"id": "0"})
			})
			if f.Times != 2 || f.Shown[0].Text != "leaves 2 members unprocessed" {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestUnprocessedIgnoredIsSilent(t *testing.T) {
	t.Parallel()
	once := partial
	once.Times = 1
	wantSilence(t, "unprocessed-ignored", map[string]func(program){
		"writes are sent again": func(p program) {
			p.table("events", "id")
			p.fail(once)
			for left := batchOf(0); len(left) > 0; {
				left = p.write(left)
			}
			p.get("events", item{"id": "0"})
		},
		"reads are sent again": func(p program) {
			p.table("events", "id")
			p.fail(once)
			for left := keysOf(0); len(left) > 0; {
				left = p.read(left)
			}
			p.get("events", item{"id": "0"})
		},
		"single requests instead": func(p program) {
			p.table("events", "id")
			p.fail(once)
			for _, each := range p.write(batchOf(0))["events"] {
				p.must(p.PutItem(p.Context(), &dynamodb.PutItemInput{TableName: aws.String("events"), Item: each.PutRequest.Item}))
			}
		},
		"all are processed": func(p program) {
			p.table("events", "id")
			p.write(batchOf(0))
			p.get("events", item{"id": "0"})
		},
		"the recording ends": func(p program) {
			p.table("events", "id")
			p.fail(once)
			p.write(batchOf(0))
		},
	})
}
