package kefir

import (
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// TestSeed checks that seeding creates users with batches in every status, and that a second seeding changes nothing
// (KF-O2).
func TestSeed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, err := w.service.Seed(t.Context(), 7, 5, nil)
	if err != nil || first.Users != 5 || first.Batches < 20 || first.Devices < 5 || first.Reminders < 10 ||
		first.Events < 40 {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := w.service.Seed(t.Context(), 7, 5, nil)
	if err != nil || again != first {
		t.Errorf("again: %+v, %v", again, err)
	}
	out, err := w.client.Scan(t.Context(), &dynamodb.ScanInput{TableName: w.service.store.table})
	if err != nil || len(out.Items) != first.Items() {
		t.Errorf("%d items of %d, %v", len(out.Items), first.Items(), err)
	}
	for _, in := range out.Items {
		if add := AddedKeys(in); len(add) > 0 {
			t.Errorf("%v lacks %v", in["SK"], add)
		}
		if at := ddb.Text(in["sentAt"]); at > string(w.service.now()) {
			t.Errorf("sent in the future: %s", at)
		}
	}
	for _, status := range statuses() {
		if got := w.pages("ana-1", "/batches?limit=100&status="+status, "batches", "batchId"); len(got) == 0 {
			t.Errorf("ana has no batch that is %s", status)
		}
	}
	if got := w.pages("ana-1", "/reminders/upcoming?limit=100", "reminders", "message"); len(got) == 0 ||
		!slices.Contains(got, "Taste it: time to bottle") {
		t.Errorf("ana's reminders: %v", got)
	}
	for _, users := range []int{0, MaxSeedUsers + 1} {
		if _, err := w.service.Seed(t.Context(), 1, users, nil); err == nil {
			t.Error(fmt.Sprint(users, " users are seeded"))
		}
	}
}
