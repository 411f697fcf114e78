package advice

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// onlyNew returns the part of a transaction that puts an item unless it exists.
func onlyNew(table string, i item) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{TableName: aws.String(table), Item: i.attributes(),
		ConditionExpression: aws.String("attribute_not_exists(id)")}}
}

// requests makes a table, and does 25 requests.
func requests(do func(p program, i int)) func(program) {
	return func(p program) {
		p.table("seats", "id")
		for i := range 25 {
			do(p, i)
		}
	}
}

// countOnce counts a seat, once for a request.
func countOnce(p program, i int) {
	p.transact("", onlyNew("seats", item{"id": fmt.Sprint("request-", i)}), count())
}

func TestMarkerWithoutTTL(t *testing.T) {
	t.Parallel()
	const problem = "25 items only mark that a request was done, and the table has no TTL that deletes them"
	for name, do := range map[string]func(program, int){
		"in a transaction": countOnce,
		"by name": func(p program, i int) {
			p.must(p.PutItem(p.Context(), &dynamodb.PutItemInput{TableName: aws.String("seats"),
				Item:                item{"id": fmt.Sprint("idempotency#", i)}.attributes(),
				ConditionExpression: aws.String("attribute_not_exists(id)")}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := wantOne(t, "marker-without-ttl", "seats", problem, requests(do))
			if f.Times != 25 || !strings.Contains(f.Remedy, "update-time-to-live --table-name seats ") {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestMarkerWithoutTTLIsSilent(t *testing.T) {
	t.Parallel()
	wantSilence(t, "marker-without-ttl", map[string]func(program){
		"TTL": func(p program) {
			requests(countOnce)(p)
			p.must(p.UpdateTimeToLive(p.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("seats"),
				TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("expires"),
					Enabled: aws.Bool(true)}}))
		},
		"unique names": requests(func(p program, i int) {
			p.transact("", onlyNew("seats", item{"id": fmt.Sprint("user#", i)}),
				onlyNew("seats", item{"id": fmt.Sprint("email#", i, "@example.com")}))
		}),
		"new items": requests(func(p program, i int) {
			p.must(p.PutItem(p.Context(), &dynamodb.PutItemInput{TableName: aws.String("seats"),
				Item:                item{"id": fmt.Sprint("user#", i)}.attributes(),
				ConditionExpression: aws.String("attribute_not_exists(id)")}))
		}),
		"events that are read": func(p program) {
			requests(countOnce)(p)
			p.must(p.Scan(p.Context(), &dynamodb.ScanInput{TableName: aws.String("seats")}))
		},
		"markers that are deleted": func(p program) {
			requests(countOnce)(p)
			p.remove("seats", item{"id": "request-1"})
		},
		"a few": func(p program) {
			p.table("seats", "id")
			for i := range 10 {
				countOnce(p, i)
			}
		},
	})
}
