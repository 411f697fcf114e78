package kefir

import (
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/webtest"
)

// TestLateWrites checks that a note or a reminder whose write arrives after its account was deleted is not stored
// (KF-R9).
func TestLateWrites(t *testing.T) {
	t.Parallel()
	due := dbtest.Start().Add(time.Hour).UTC().Format(timestampLayout)
	for path, body := range map[string]object{
		"/events":    {"type": "note", "note": "fizzy"},
		"/reminders": {"message": "Bottle it", "dueAt": due},
	} {
		for operation, header := range map[string]http.Header{
			"PutItem":            {},
			"TransactWriteItems": {"Idempotency-Key": {"late"}},
		} {
			t.Run(operation+path, func(t *testing.T) {
				t.Parallel()
				cfg := dbtest.Config(t)
				w := newWorldOn(t, cfg, "late-")
				batch := "/batches/" + w.batch("ana")
				w.deletesBefore(operation, dynamodb.NewFromConfig(cfg))
				token, err := w.issuer.Token("ana", time.Hour)
				if err != nil {
					t.Fatal(err)
				}
				header.Set("Authorization", "Bearer "+token)
				if got := webtest.Call(t, w.server, header, "POST", "/kefir"+batch+path, body); got.Status != 404 {
					t.Errorf("status %d: %s", got.Status, got.Raw)
				}
				if left := w.itemsOf("ana", batch); len(left) > 0 {
					t.Errorf("left: %v", left)
				}
			})
		}
	}
}

// deletesBefore deletes ana's account, by another client, before the next request of an operation is sent.
func (w *world) deletesBefore(operation string, client *dynamodb.Client) {
	other, err := New(Config{Client: client, TablePrefix: w.prefix, Now: w.now})
	if err != nil {
		w.t.Fatal(err)
	}
	deleted := false
	w.transport.setFault(func(got, _ string) (string, int, bool) {
		if got == operation && !deleted {
			deleted = true
			if err := other.deleteAccount(w.t.Context(), "ana"); err != nil {
				w.t.Error(err)
			}
		}
		return "", 0, false
	})
}
