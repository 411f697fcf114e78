package emulator_test

import (
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator"
)

func TestStaleCosmosReadsRespectTheSession(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, emulator.WithManualClock(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)))
	orders := makeContainer(t, db, nil)
	if _, err := db.Fail(emulator.Fault{Operations: []string{"ReadDocument"}, Tables: []string{"orders"},
		Do: emulator.DoStale}); err != nil {
		t.Fatal(err)
	}
	key := azcosmos.NewPartitionKeyString("a")
	made, err := orders.CreateItem(t.Context(), key, []byte(`{"id":"1","pk":"a"}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := orders.ReadItem(t.Context(), key, "1", nil); err == nil {
		t.Error("a stale read sees the write of this moment")
	}
	if _, err := orders.ReadItem(t.Context(), key, "1",
		&azcosmos.ItemOptions{SessionToken: made.SessionToken}); err != nil {
		t.Errorf("the session does not see its own write: %v", err)
	}
}

func TestFaultsUnsupportedByCosmosAreRefused(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t)
	for _, f := range []emulator.Fault{
		{Operations: []string{"CreateDocument"}, Do: emulator.DoHold, Latency: time.Second},
		{Operations: []string{"BatchDocuments"}, Do: emulator.DoUnprocessed, Members: 1},
		{Operations: []string{"CreateDocument"}, Do: emulator.DoStale},
	} {
		if _, err := db.Fail(f); err == nil {
			t.Errorf("%s of %v is set, and does nothing", f.Do, f.Operations)
		}
		f.Operations = append(f.Operations, "PutItem", "Batch*", "ReadDocument")
		if _, err := db.Fail(f); err != nil {
			t.Errorf("%s of %v, some of which it can happen to: %v", f.Do, f.Operations, err)
		}
	}
}
