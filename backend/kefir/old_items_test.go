package kefir

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// TestOldItems checks that items written before an attribute existed can be read and changed like any other (KF-R7).
func TestOldItems(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	minimal := ddb.Item{
		"PK": ddb.Str("USER#ana"), "SK": ddb.Str("BATCH#abc"), "GSI1PK": ddb.Str("BATCH#abc"),
		"GSI1SK":  ddb.Str("STATUS#active#2024-01-15T10:30:00Z"),
		"batchId": ddb.Str("abc"), "userId": ddb.Str("ana"), "name": ddb.Str("Old"), "stage": ddb.Number(1),
		"status":    ddb.Str("active"),
		"createdAt": ddb.Str("2024-01-15T10:30:00Z"),
	}
	if _, err := w.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: w.service.store.table,
		Item: minimal}); err != nil {
		t.Fatal(err)
	}
	if got := w.want(200, w.ana("GET", "/batches/abc", nil)).body; got["name"] != "Old" || got["fruits"] != nil ||
		got["isPublic"] != nil {
		t.Errorf("%v", got)
	}
	w.want(200, w.ana("POST", "/batches/abc/status", object{"status": "ready"}))
	if page := w.want(200, w.admin("/admin/batches?status=ready")).body; len(page["batches"].([]any)) != 1 {
		t.Errorf("a change brings it into the index of statuses: %v", page)
	}
}
