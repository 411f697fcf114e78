package dynamo

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/data"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// TestItemsOlderThanAnIndex creates an index on an attribute for which existing items have values that cannot be keys.
// These items are not in the index, and their other attributes can be updated.
func TestItemsOlderThanAnIndex(t *testing.T) {
	t.Parallel()
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	defer s.Close()
	mustRun(t, s, "CreateTable", sessions)
	cities := map[string]string{
		"good": `{"S":"Oslo"}`, "empty": `{"S":""}`, "number": `{"N":"1"}`, "long": `{"S":"` + strings.Repeat("x",
			engine.MaxPartitionKeySize+1) + `"}`,
	}
	for id, city := range cities {
		mustRun(t, s, "PutItem", fmt.Sprintf(`{"TableName":"sessions","Item":{"id":{"S":"%s"},"city":%s}}`, id, city))
	}
	mustRun(t, s, "UpdateTable", byCity)
	table, err := s.engine.SharedAccount.Load().Table("sessions")
	if err != nil {
		t.Fatal(err)
	}
	if n := table.Indexes[0].Stats.Items.Load(); n != 1 {
		t.Errorf("the index has %d items, want the good one", n)
	}
	for id := range cities {
		mustRun(t, s, "UpdateItem",
			fmt.Sprintf(`{"TableName":"sessions","Key":{"id":{"S":"%s"}},"UpdateExpression":"SET seen = :t",
			"ExpressionAttributeValues":{":t":{"BOOL":true}}}`, id))
	}
}

// TestUnchangedUpdatesReturnACopy checks the memory of the item that ReturnValues returns: stored bytes
// may move once the transaction is over.
func TestUnchangedUpdatesReturnACopy(t *testing.T) {
	t.Parallel()
	old := item.NewMap(item.Entry{Name: "id", Value: item.NewString("a")})
	changed, err := data.UpdateWith(new(engine.Table), nil, old, nil)(old)
	if err != nil || !item.Equal(old, changed) {
		t.Fatalf("the update makes %s, %v", changed.AppendItem(nil), err)
	}
	if &old[0] == &changed[0] {
		t.Error("the item is the one in the store")
	}
}

// TestIndexKeySizeLimit puts and updates an item with an attribute that is too long for a key of the index.
func TestIndexKeySizeLimit(t *testing.T) {
	t.Parallel()
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	defer s.Close()
	mustRun(t, s, "CreateTable", sessions)
	mustRun(t, s, "UpdateTable", byCity)
	long := strings.Repeat("x", engine.MaxPartitionKeySize+1)
	for operation, x := range map[string][2]string{
		"PutItem": {`{"TableName":"sessions","Item":{"id":{"S":"a"},"city":{"S":"` + long + `"}}}`,
			"Size limit exceeded for Index Key city Actual Size: 2049 bytes Max Size: 2048 bytes IndexName: by-city"},
		// The API reference of TransactWriteItems has this message.
		"UpdateItem": {`{"TableName":"sessions","Key":{"id":{"S":"a"}},"UpdateExpression":"SET city = :c",
			"ExpressionAttributeValues":{":c":{"S":"` + long + `"}}}`,
			"The update expression attempted to update the secondary index key beyond allowed size limits"},
	} {
		_, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), operation, []byte(x[0]), nil)
		if err == nil || !strings.HasSuffix(err.Error(), x[1]) {
			t.Errorf("%s: %v, want %s", operation, err, x[1])
		}
	}
}
