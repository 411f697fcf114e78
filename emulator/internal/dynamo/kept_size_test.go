package dynamo

import (
	"bytes"
	"slices"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestWrittenItemsKeepTheirSize writes items in each way, in a table and its indexes: each is stored with the size that
// its attributes have.
func TestWrittenItemsKeepTheirSize(t *testing.T) {
	t.Parallel()
	service := newService(t)
	mustAsk(t, service, "CreateTable", `{"TableName":"table","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"GlobalSecondaryIndexes":[
		{"IndexName":"all","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}},
		{"IndexName":"keys","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}`)
	const rest = `"g":{"S":"g"},"m":{"M":{"l":{"L":[{"N":"12.5"},{"NULL":true}]}}},"s":{"NS":["1","20"]}`
	updated := func(pk string) string {
		return `"TableName":"table","Key":{"pk":{"S":"` + pk + `"}},"UpdateExpression":"SET g = :g, m.l[0] = :n ADD n :n",` +
			`"ExpressionAttributeValues":{":g":{"S":"h"},":n":{"N":"123"}}`
	}
	for _, request := range [][2]string{
		{"PutItem", `{"TableName":"table","Item":{"pk":{"S":"put"},` + rest + `}}`},
		{"PutItem", `{"TableName":"table","Item":{"pk":{"S":"updated"},` + rest + `}}`},
		{"UpdateItem", `{` + updated("updated") + `}`},
		{"UpdateItem", `{"TableName":"table","Key":{"pk":{"S":"key alone"}}}`},
		{"UpdateItem", `{"TableName":"table","Key":{"pk":{"S":"older way"}},"AttributeUpdates":{"g":{"Value":{"S":"g"}}}}`},
		{"BatchWriteItem", `{"RequestItems":{"table":[{"PutRequest":{"Item":{"pk":{"S":"batch"},` + rest + `}}}]}}`},
		{"PutItem", `{"TableName":"table","Item":{"pk":{"S":"transaction"},` + rest + `}}`},
		{"TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"table","Item":{"pk":{"S":"2"},` + rest +
			`}}},{"Update":{` + updated("transaction") + `}}]}`},
		{"ExecuteStatement", `{"Statement":"INSERT INTO \"table\" VALUE {'pk': 'inserted', 'g': 'g', 'm': {'l': [1, <<2>>]}}"}`},
		{"ExecuteStatement", `{"Statement":"UPDATE \"table\" SET m.l[0] = 'x' WHERE pk = 'inserted'"}`},
		{"BatchExecuteStatement", `{"Statements":[{"Statement":"INSERT INTO \"table\" VALUE {'pk': 'batch 2', 'g': 'g'}"}]}`},
	} {
		mustAsk(t, service, request[0], request[1])
	}
	stored := 0
	if err := service.engine.Store.View(func(r *store.Reader) error {
		it := r.Iter([]byte{engine.SpaceItems}, []byte{engine.SpaceItems + 1}, false)
		for it.Next() {
			stored++
			entries := make([]item.Entry, 0, 8)
			for name, v := range item.Value(it.Value()).Entries() {
				entries = append(entries, item.Entry{Name: string(name), Value: slices.Clone(v)})
			}
			if want := item.Empty.Merge(entries).KeepSize(); !bytes.Equal(it.Value(), want) {
				t.Errorf("%s is stored as\n%q, want\n%q", want.AppendItem(nil), it.Value(), want)
			}
		}
		return it.Close()
	}); err != nil {
		t.Fatal(err)
	}
	if stored != 9+8+8 {
		t.Errorf("%d items and entries are stored", stored)
	}
}
