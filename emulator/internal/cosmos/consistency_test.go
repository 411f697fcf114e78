package cosmos

import (
	"net/http"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// lagging makes replicas lag behind the writes.
func lagging(c *Config) { c.PendingWrites = lag.New(c.Clock, 1, true) }

func TestSessionReadsItsOwnWrites(t *testing.T) {
	t.Parallel()
	items := newTestService(t, lagging).newContainer(t, "things")
	key := azcosmos.NewPartitionKeyString("a")
	for range 50 {
		made, err := items.UpsertItem(t.Context(), key, []byte(`{"id":"1","pk":"a"}`), nil)
		if err != nil {
			t.Fatal(err)
		}
		read, err := items.ReadItem(t.Context(), key, "1", &azcosmos.ItemOptions{SessionToken: made.SessionToken})
		if err != nil || read.ETag != made.ETag {
			t.Fatalf("an older item was read: %v", err)
		}
	}
}

func TestEventualReadsCanBeStale(t *testing.T) {
	t.Parallel()
	d := newTestService(t, lagging, func(c *Config) { c.Consistency = wire.Strong })
	items := d.newContainer(t, "things")
	key, level := azcosmos.NewPartitionKeyString("a"), azcosmos.ConsistencyLevelEventual
	if _, err := items.CreateItem(t.Context(), key, []byte(`{"id":"1","pk":"a"}`), nil); err != nil {
		t.Fatal(err)
	}
	misses := 0
	for range 50 {
		if _, err := items.ReadItem(t.Context(), key, "1", nil); err != nil {
			t.Fatalf("a strong read misses the write: %v", err)
		}
		if _, err := items.ReadItem(t.Context(), key, "1", &azcosmos.ItemOptions{ConsistencyLevel: &level}); err != nil {
			wantStatus(t, err, http.StatusNotFound)
			misses++
		}
	}
	if misses == 0 || misses == 50 {
		t.Errorf("%d of 50 eventual reads miss the write", misses)
	}
	if err := d.clock.Advance(lag.MaxDelay + time.Second); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if _, err := items.ReadItem(t.Context(), key, "1", &azcosmos.ItemOptions{ConsistencyLevel: &level}); err != nil {
			t.Fatalf("long after the write: %v", err)
		}
	}
}

func TestConsistencyLevelCannotExceedTheAccounts(t *testing.T) {
	t.Parallel()
	items := newTestService(t).newContainer(t, "things")
	level := azcosmos.ConsistencyLevelStrong
	_, err := items.ReadItem(t.Context(), azcosmos.NewPartitionKeyString("a"), "1",
		&azcosmos.ItemOptions{ConsistencyLevel: &level})
	wantStatus(t, err, http.StatusBadRequest)
}
