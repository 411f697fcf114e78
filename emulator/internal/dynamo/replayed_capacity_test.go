package dynamo

import (
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// TestARepeatedTransactionReportsTheARN repeats a transaction that names its table by ARN.
func TestARepeatedTransactionReportsTheARN(t *testing.T) {
	t.Parallel()
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	defer s.Close()
	mustRun(t, s, "CreateTable", orders)
	const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/orders"
	for range 2 {
		answer := answerTo(t, s, "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"`+arn+`",
			"Item":{"id":{"S":"a"}}}}],"ClientRequestToken":"t","ReturnConsumedCapacity":"TOTAL"}`)
		if !strings.Contains(answer, `"TableName":"`+arn+`"`) {
			t.Error(answer)
		}
	}
}
