package dynamo

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// TestHostileRequestsEndQuickly sends requests of some megabytes that would take minutes, or all memory, if anything in
// them were compared with everything else, or copied for it.
func TestHostileRequestsEndQuickly(t *testing.T) {
	t.Parallel()
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	mustRun(t, s, "CreateTable", sessions)
	const many = 200_000
	definitions := repeat(many, `{"AttributeName":"a%d","AttributeType":"S"}`)
	key := `[{"AttributeName":"a1","KeyType":"HASH"}]`
	for name, c := range map[string]struct{ operation, request, want string }{
		"a set with one member twice": {"PutItem",
			`{"TableName":"sessions","Item":{"id":{"S":"a"},"set":{"SS":[` + repeat(many, `"%d"`) + `,"7"]}}}`,
			"contains duplicates"},
		"tags": {"TagResource",
			`{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/sessions","Tags":[` + repeat(many,
				`{"Key":"%d","Value":""}`) + `]}`,
			"Number of Tags exceed the current limit"},
		"indexes and attributes": {"CreateTable",
			`{"TableName":"wide","BillingMode":"PAY_PER_REQUEST","KeySchema":` + key + `,"AttributeDefinitions":[` +
				definitions + `],
				"GlobalSecondaryIndexes":[` + repeat(many/10, `{"IndexName":"index-%d","KeySchema":`+key+`,"Projection":{"ProjectionType":"ALL"}}`) + `]}`,
			"exceeds the per-table limit of 20"},
		"attributes that no index has": {"UpdateTable",
			strings.Replace(byCity, `"AttributeDefinitions":[`, `"AttributeDefinitions":[`+definitions+`,`, 1), ""},
		"writes to tables of no name": {"BatchWriteItem", `{"RequestItems":{` + repeat(many, `"%d!":[]`) + `}}`,
			"Map value must satisfy constraint"},
		"reads of tables of no name": {"BatchGetItem", `{"RequestItems":{` + repeat(many, `"%d!":{"Keys":[]}`) + `}}`,
			"Map keys must satisfy constraint"},
		"one value a hundred times": {"UpdateItem",
			`{"TableName":"sessions","Key":{"id":{"S":"b"}},"UpdateExpression":"SET ` + repeat(120,
				`a%d = list_append(:v, :v)`) + `",
				"ExpressionAttributeValues":{":v":{"L":[{"S":"` + strings.Repeat("x", 8<<20) + `"}]}}}`, "Item size to update has exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), c.operation, []byte(c.request), nil)
			if err == nil && c.want != "" || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("the answer is %.200v, want %q", err, c.want)
			}
		})
	}
}

// repeat joins n texts with a number each.
func repeat(n int, format string) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(texts, ",")
}
