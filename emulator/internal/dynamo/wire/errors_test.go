package wire

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// TestTheSpellingOfMessage compares bodies with those of the service: moto's tests, verified on AWS (2026), have
// message beside an item; nubo-db/dynoxide's captures of ExecuteStatement (2026-10) have Message, and number sets in
// hash order.
func TestTheSpellingOfMessage(t *testing.T) {
	t.Parallel()
	const failed = `{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",`
	statement := ConditionFailed(item.NewMap())
	statement.Older = true
	for want, err := range map[string]*Error{
		failed + `"message":"The conditional request failed"}`:           ConditionFailed(nil),
		failed + `"message":"The conditional request failed","Item":{}}`: ConditionFailed(item.NewMap()),
		failed + `"Message":"The conditional request failed","Item":{}}`: statement,
	} {
		if got := string(err.AppendJSON(nil)); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
