package dynamo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// clonedItems is the number of items of the table that is cloned: its progress is reported twice.
const clonedItems = 2100

// clonedTable is provisioned, with an index and a stream.
const clonedTable = `{"TableName":"orders","BillingMode":"PROVISIONED","TableClass":"STANDARD_INFREQUENT_ACCESS",
	"ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":8},
	"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"state","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
	"GlobalSecondaryIndexes":[{"IndexName":"by-state","KeySchema":[{"AttributeName":"state","KeyType":"HASH"}],
	"Projection":{"ProjectionType":"ALL"},"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4}}],
	"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`

// expires is when the items of clonedTable expire.
var expires = conversationStart.Add(time.Hour).Unix()

// fillCloned creates clonedTable with its items.
func fillCloned(t *testing.T, c *conversation) {
	t.Helper()
	must := func(operation, request string) {
		if w := c.post(target(operation), request); w.Code != http.StatusOK {
			t.Fatalf("%s: %s", operation, w.Body)
		}
	}
	must("CreateTable", clonedTable)
	must("UpdateTimeToLive", `{"TableName":"orders","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`)
	for i := 0; i < clonedItems; i += 25 {
		var puts []string
		for n := i; n < i+25; n++ {
			puts = append(puts, fmt.Sprintf(`{"PutRequest":{"Item":{"id":{"S":"%d"},"state":{"S":"%d"},"ttl":{"N":"%d"}}}}`, n,
				n%3, expires))
		}
		must("BatchWriteItem", `{"RequestItems":{"orders":[`+strings.Join(puts, ",")+`]}}`)
	}
}

// cloneWriter is the response of a clone, whose progress calls a function.
type cloneWriter struct {
	*httptest.ResponseRecorder
	progress func(items int64)
}

// Progress calls the function in a goroutine of its own, as another client has: the check of the order of locks (build
// tag poison) tells their owners apart by goroutine.
func (w cloneWriter) Progress(items int64) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.progress(items)
	}()
	<-done
}

// clone clones the table orders to copies.
func clone(ctx context.Context, c *conversation, more string, progress func(items int64)) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/CloneTable",
		strings.NewReader(`{"TableName":"orders","TargetTableName":"copies"`+more+`}`))
	sign(r, "")
	w := cloneWriter{httptest.NewRecorder(), progress}
	c.service.History().ServeHTTP(w, r)
	return w.ResponseRecorder
}

// read returns the items that an operation reads, in all pages.
func read(t *testing.T, c *conversation, operation, request string) (items []string) {
	t.Helper()
	for start := ""; ; {
		var page struct {
			Items            []json.RawMessage
			LastEvaluatedKey json.RawMessage
		}
		w := c.post(target(operation), request+start+"}")
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %s", operation, w.Body)
		}
		for _, one := range page.Items {
			items = append(items, string(one))
		}
		if page.LastEvaluatedKey == nil {
			return items
		}
		start = `,"ExclusiveStartKey":` + string(page.LastEvaluatedKey)
	}
}

// TestACloneIsATableAsOfOneMoment writes to a table while it is cloned: the clone has the items and the settings that
// the table had when it began, and nobody sees it before it is complete.
func TestACloneIsATableAsOfOneMoment(t *testing.T) {
	t.Parallel()
	c := newConversation(t)
	fillCloned(t, c)
	const inIndex = `,"IndexName":"by-state","KeyConditionExpression":"#s = :s","ExpressionAttributeNames":{"#s":"state"},` +
		`"ExpressionAttributeValues":{":s":{"S":"1"}}`
	want, wantIndex := read(t, c, "Scan", `{"TableName":"orders"`), read(t, c, "Query", `{"TableName":"orders"`+inIndex)
	var progress []int64
	w := clone(t.Context(), c, "", func(items int64) {
		progress = append(progress, items)
		for i := range 50 { // of which the clone has seen some already, but not others
			c.post(target("DeleteItem"), fmt.Sprintf(`{"TableName":"orders","Key":{"id":{"S":"%d"}}}`, 10*i+int(items/1000)))
			c.post(target("PutItem"), fmt.Sprintf(`{"TableName":"orders","Item":{"id":{"S":"%d"},"new":{"BOOL":true}}}`, 20*i))
		}
		for operation, request := range map[string]string{"DescribeTable": `{"TableName":"copies"}`,
			"CreateTable": strings.Replace(clonedTable, "orders", "copies", 1)} {
			body := c.post(target(operation), request).Body.String()
			if !strings.Contains(body, "ResourceNotFoundException") && !strings.Contains(body, "ResourceInUseException") {
				t.Errorf("%s during the clone: %s", operation, body)
			}
		}
	})
	if w.Code != http.StatusOK || w.Body.String() != fmt.Sprintf(`{"items":%d}`, clonedItems) || len(progress) != 2 {
		t.Fatalf("%d %s, progress %v", w.Code, w.Body, progress)
	}
	if got := read(t, c, "Scan", `{"TableName":"copies"`); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the clone has %d items, want the %d of the moment before", len(got), len(want))
	}
	if got := read(t, c, "Query", `{"TableName":"copies"`+inIndex); len(got) != len(wantIndex) {
		t.Errorf("the index of the clone has %d items, want %d", len(got), len(wantIndex))
	}
	if got, want := describeCloned(t, c, "copies"), describeCloned(t, c, "orders"); got != want {
		t.Errorf("the clone is\n%s, want\n%s", got, want)
	}
	if w := clone(t.Context(), c, "", nil); !strings.Contains(w.Body.String(), "Table already exists: copies") {
		t.Errorf("a clone to a table that exists: %d %s", w.Code, w.Body)
	}
	c.advance(t, "1h1s")
	if left := read(t, c, "Scan", `{"TableName":"copies"`); len(left) != 0 {
		t.Errorf("%d items of the clone have not expired", len(left))
	}
}

// describeCloned describes the settings that a clone has in common with its table.
func describeCloned(t *testing.T, c *conversation, table string) string {
	t.Helper()
	var d struct {
		Table struct {
			TableStatus                                                             string
			AttributeDefinitions, KeySchema, StreamSpecification, TableClassSummary any
			ProvisionedThroughput                                                   struct{ ReadCapacityUnits, WriteCapacityUnits int }
			GlobalSecondaryIndexes                                                  []struct {
				IndexName             string
				KeySchema, Projection any
				ProvisionedThroughput struct{ ReadCapacityUnits, WriteCapacityUnits int }
			}
		}
	}
	request := `{"TableName":"` + table + `"}`
	if err := json.Unmarshal(c.post(target("DescribeTable"), request).Body.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(d, c.post(target("DescribeTimeToLive"), request).Body.String())
}

// TestACloneWithoutItems has the settings only. It is active at once, although tables take time to create.
func TestACloneWithoutItems(t *testing.T) {
	t.Parallel()
	c := newConversationWith(t, dynamo.Config{States: true})
	if w := c.post(target("CreateTable"), clonedTable); w.Code != http.StatusOK {
		t.Fatal(w.Body)
	}
	c.advance(t, "10m")
	w := clone(t.Context(), c, `,"WithoutItems":true`, nil)
	if items := read(t, c, "Scan", `{"TableName":"copies"`); w.Body.String() != `{"items":0}` || len(items) != 0 {
		t.Errorf("%s, %d items", w.Body, len(items))
	}
	if got, want := describeCloned(t, c, "copies"), describeCloned(t, c, "orders"); got != want {
		t.Errorf("the clone is\n%s, want\n%s", got, want)
	}
	for request, want := range map[string]string{
		`{"TableName":"none","TargetTableName":"more"}`:  "Table: none not found",
		`{"TableName":"orders","TargetTableName":"a b"}`: "ValidationException",
		`{"TableName":"orders"}`:                         "ValidationException",
	} {
		r := httptest.NewRequest(http.MethodPost, "/CloneTable", strings.NewReader(request))
		sign(r, "")
		w := httptest.NewRecorder()
		if c.service.History().ServeHTTP(w, r); w.Code == http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, want %s", request, w.Code, w.Body, want)
		}
	}
}

// TestAStoppedCloneLeavesNothing ends a clone in the middle: its client leaves, or its process is killed and another
// one starts on what it has written.
func TestAStoppedCloneLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{false, true} {
		p := newProcesses(t)
		first := p.start(t, nil)
		fillCloned(t, first)
		last := first
		ctx, cancel := context.WithCancel(t.Context())
		w := clone(ctx, first, "", func(items int64) {
			if killed && last == first {
				last = p.start(t, nil)
			}
			cancel()
		})
		if w.Code == http.StatusOK {
			t.Errorf("killed %v: %s", killed, w.Body)
		}
		if w := last.post(target("DescribeTable"), `{"TableName":"copies"}`); !strings.Contains(w.Body.String(),
			"ResourceNotFoundException") {
			t.Errorf("killed %v: %s", killed, w.Body)
		}
		if n := p.stored(t); n != 2*clonedItems {
			t.Errorf("killed %v: %d items and entries are stored, want those of the first table", killed, n)
		}
		if w := clone(t.Context(), last, "", func(int64) {}); w.Code != http.StatusOK {
			t.Errorf("killed %v, the next clone: %s", killed, w.Body)
		}
		if n := p.stored(t); n != 4*clonedItems {
			t.Errorf("killed %v: %d items and entries are stored, want those of two tables", killed, n)
		}
		p.end(t, killed)
	}
}

// stored returns how many items and entries of indexes are stored.
func (p *processes) stored(t *testing.T) (n int) {
	t.Helper()
	err := p.store.View(func(r *store.Reader) error {
		it := r.Iter([]byte{keyspace.DynamoItems}, []byte{keyspace.DynamoItems + 1}, false)
		defer it.Close()
		for ; it.Next(); n++ {
		}
		return it.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
