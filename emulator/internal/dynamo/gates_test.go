package dynamo

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

const otherTable = `{"TableName":"other","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`

// While a write of one table is blocked, other tables can be created, changed, indexed, backed up, deleted and written,
// and so can the other items of the table itself.
func TestTableChangesDoNotWaitForOtherTables(t *testing.T) {
	t.Parallel()
	state := openMemory(t)
	s := withOrders(t, state, 3)
	slow, err := s.engine.SharedAccount.Load().Table("orders")
	if err != nil {
		t.Fatal(err)
	}
	err = state.Update(store.Latch([]byte("an item of orders")).Within(slow.Gate), func(*store.Tx) error {
		await.Return(t, "a request of others", func() {
			answerTo(t, s, "CreateTable", otherTable)
			for i := range 100 {
				answerTo(t, s, "PutItem", fmt.Sprintf(`{"TableName":"orders","Item":{"id":{"S":"more%d"}}}`, i))
				answerTo(t, s, "PutItem", fmt.Sprintf(`{"TableName":"other","Item":{"id":{"S":"%d"},"city":{"S":"x"}}}`, i))
			}
			answerTo(t, s,
				"TransactWriteItems", `{"ClientRequestToken":"t","TransactItems":[{"Put":{"TableName":"orders","Item":{"id":{"S":"a"}}}},{"Put":{"TableName":"other","Item":{"id":{"S":"a"}}}}]}`)
			answerTo(t, s,
				"UpdateTable", `{"TableName":"other","AttributeDefinitions":[{"AttributeName":"city","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"byCity",
				"KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`)
			answerTo(t, s, "UpdateTable",
				`{"TableName":"other","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`)
			answerTo(t, s, "UpdateTimeToLive",
				`{"TableName":"other","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}}`)
			answerTo(t, s, "CreateBackup", `{"TableName":"orders","BackupName":"all"}`)
			answerTo(t, s, "DeleteTable", `{"TableName":"other"}`)
		})
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A table's definition changes while the table is written to, alone and together with another table whose definition
// changes too, in either order. There is no deadlock, and every acknowledged write is there.
func TestDefinitionsChangeUnderLoad(t *testing.T) {
	t.Parallel()
	state := openMemory(t)
	s := withOrders(t, state, 0)
	answerTo(t, s, "CreateTable", otherTable)
	const writers, each = 4, 40
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				tables := [2]string{"orders", "other"}
				if w%2 == 1 {
					tables[0], tables[1] = tables[1], tables[0]
				}
				put := func(table string) string {
					return fmt.Sprintf(`{"Put":{"TableName":"%s","Item":{"id":{"S":"%d-%d"}}}}`, table, w, i)
				}
				answerTo(t, s, "TransactWriteItems", `{"TransactItems":[`+put(tables[0])+","+put(tables[1])+`]}`)
				answerTo(t, s, "PutItem", fmt.Sprintf(`{"TableName":"%s","Item":{"id":{"S":"own%d-%d"}}}`, tables[0], w, i))
			}
		})
	}
	for _, table := range []string{"orders", "other"} {
		all.Go(func() {
			for i := range 20 {
				answerTo(t, s, "UpdateTimeToLive",
					fmt.Sprintf(`{"TableName":"%s","TimeToLiveSpecification":{"Enabled":%t,"AttributeName":"until"}}`,
						table, i%2 == 0))
				if i%5 == 0 {
					answerTo(t, s, "UpdateTable", fmt.Sprintf(`{"TableName":"%s","StreamSpecification":{"StreamEnabled":%t%s}}`, table,
						i%10 == 0, map[bool]string{true: `,"StreamViewType":"KEYS_ONLY"`}[i%10 == 0]))
				}
			}
		})
	}
	all.Wait()
	for _, table := range []string{"orders", "other"} {
		answer := answerTo(t, s, "Scan", `{"TableName":"`+table+`","Select":"COUNT"}`)
		if want := fmt.Sprintf(`"Count":%d,`, writers*each+writers*each/2); !strings.Contains(answer, want) {
			t.Errorf("%s: %s; want %s", table, answer, want)
		}
	}
}

// answerTo returns the response to a request. It can be called from any goroutine.
func answerTo(t *testing.T, s *Service, name, body string) string {
	answer, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), name, []byte(body), nil)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return string(answer)
}
