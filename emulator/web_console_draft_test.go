package emulator_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

const draftPath = consolePath + "api/draft"

// TestConsoleDraftsAModel drafts the model of a table with some of its items.
func TestConsoleDraftsAModel(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	operate(t, e, "CreateTable", `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"GlobalSecondaryIndexes":[{"IndexName":"by-n",
		"KeySchema":[{"AttributeName":"n","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}`)
	for i := range 5 {
		operate(t, e, "PutItem", fmt.Sprintf(`{"TableName":"orders","Item":{"pk":{"S":"<%d>"},"n":{"N":"%d"}}}`, i, i))
	}
	for _, items := range []int{0, 2, 1000} {
		a := browse(t, e, e.DynamoDBURL(), "POST", draftPath+fmt.Sprintf("?table=orders&items=%d", items), "")
		var model struct {
			ModelName string
			DataModel []struct {
				TableName, BillingMode string
				GlobalSecondaryIndexes []struct{ IndexName string }
				TableData              []struct{ PK struct{ S string } }
			}
		}
		if err := json.Unmarshal([]byte(a.body), &model); err != nil || a.status != 200 || len(model.DataModel) != 1 {
			t.Fatalf("%d %s", a.status, a.body)
		}
		table := model.DataModel[0]
		if table.TableName != "orders" || table.BillingMode != "PAY_PER_REQUEST" || len(table.TableData) != min(items, 5) ||
			len(table.GlobalSecondaryIndexes) != 1 || table.GlobalSecondaryIndexes[0].IndexName != "by-n" {
			t.Errorf("%d items: %s", items, a.body)
		}
		if items > 0 && !strings.HasPrefix(table.TableData[0].PK.S, "<") {
			t.Errorf("the first item: %s", a.body)
		}
	}
	for query, want := range map[string]string{"?table=none&items=1": "Table: none not found",
		"?table=orders":            "items must be",
		"?table=orders&items=1001": "items must be", "?table=orders&items=-1": "items must be", "?items=1": "ableName"} {
		if a := browse(t, e, e.DynamoDBURL(), "POST", draftPath+query, ""); a.status != 400 ||
			!strings.Contains(a.body, want) {
			t.Errorf("%s: %d %s, want %s", query, a.status, a.body, want)
		}
	}
	if a := browse(t, e, e.DynamoDBURL(), "GET", draftPath+"?table=orders&items=1", ""); a.status != 405 {
		t.Errorf("GET: %d %s", a.status, a.body)
	}
}
