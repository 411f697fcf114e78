package wire

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// TestTheSpellingOfMessage compares bodies with those of the service: LocalStack's snapshots of 2025-10-08 have Message
// beside an item.
func TestTheSpellingOfMessage(t *testing.T) {
	t.Parallel()
	const failed = `{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",`
	for want, err := range map[string]*Error{
		failed + `"message":"The conditional request failed"}`:           ConditionFailed(nil),
		failed + `"Message":"The conditional request failed","Item":{}}`: ConditionFailed(item.NewMap()),
	} {
		if got := string(err.AppendJSON(nil)); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
