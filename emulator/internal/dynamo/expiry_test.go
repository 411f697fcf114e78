package dynamo

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// sessions is a table with time to live.
const sessions = `{"TableName":"sessions","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`

func openSessions(t *testing.T, state *store.Store, now *clock.Clock) *Service {
	t.Helper()
	s := openService(t, state, now)
	mustRun(t, s, "CreateTable", sessions)
	mustRun(t, s, "UpdateTimeToLive",
		`{"TableName":"sessions","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}}`)
	return s
}

func openService(t *testing.T, state *store.Store, now *clock.Clock) *Service {
	t.Helper()
	s, err := New(Config{Store: state, Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// testingT is a test of this package or of package rapid.
type testingT interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// newService returns a service on a new store in memory. It is closed at the end of the test.
func newService(t testingT) *Service {
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	service, err := New(Config{Store: s, Clock: clock.Real()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { service.Close(); s.Close() })
	return service
}

func openMemory(t testing.TB) *store.Store {
	t.Helper()
	state, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := state.Close(); err != nil {
			t.Error(err)
		}
	})
	return state
}

func putSession(t *testing.T, s *Service, id string, until int64) {
	t.Helper()
	mustRun(t, s, "PutItem", fmt.Sprintf(`{"TableName":"sessions","Item":{"id":{"S":"%s"},"until":{"N":"%d"}}}`, id,
		until))
}

func wantSessions(t *testing.T, s *Service, want int64) {
	t.Helper()
	table, err := s.engine.SharedAccount.Load().Table("sessions")
	if err != nil {
		t.Fatal(err)
	}
	if n := table.Stats.Items.Load(); n != want {
		t.Errorf("there are %d items, want %d", n, want)
	}
}

func advance(t *testing.T, c *clock.Clock, d time.Duration) {
	t.Helper()
	if err := c.Advance(d); err != nil {
		t.Fatal(err)
	}
}

// TestItemsThatExpiredWhileStoppedAreDeleted opens a state after the expiry of its items.
func TestItemsThatExpiredWhileStoppedAreDeleted(t *testing.T) {
	t.Parallel()
	state := openMemory(t)
	before := openSessions(t, state, clock.Manual(time.Unix(1000, 0)))
	putSession(t, before, "a", 1010)
	if err := before.Close(); err != nil {
		t.Fatal(err)
	}
	s := openService(t, state, clock.Manual(time.Unix(2000, 0)))
	defer s.Close()
	wantSessions(t, s, 0)
}

// TestRestoredItemsExpire restores a snapshot after the expiry of its items.
func TestRestoredItemsExpire(t *testing.T) {
	t.Parallel()
	state, now := openMemory(t), clock.Manual(time.Unix(1000, 0))
	s := openSessions(t, state, now)
	defer s.Close()
	putSession(t, s, "a", 1010)
	snapshot, err := state.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	advance(t, now, time.Minute)
	wantSessions(t, s, 0)
	if err := s.Replace(t.Context(), func() error { return state.Restore(snapshot) }); err != nil {
		t.Fatal(err)
	}
	wantSessions(t, s, 0)
}

// TestItemsWrittenDuringASweepExpire writes items, some with another time and back, while others are being deleted.
func TestItemsWrittenDuringASweepExpire(t *testing.T) {
	t.Parallel()
	now := clock.Manual(time.Unix(1000, 0))
	s := openSessions(t, openMemory(t), now)
	defer s.Close()
	const writers, each = 4, 60
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				id := fmt.Sprintf("%d-%d", w, i%3)
				putSession(t, s, id, 1001)
				putSession(t, s, id, 9999)
				putSession(t, s, id, 1001)
			}
		})
	}
	for range each {
		advance(t, now, time.Second)
	}
	wg.Wait()
	advance(t, now, time.Second)
	wantSessions(t, s, 0)
}

// TestExpiryOfDroppedTablesIsRemoved deletes a table whose items expire in years, before and after a restart: their
// entries in the order of expiry are removed in several steps, and those of another table stay. The time to live of the
// table may have been disabled.
func TestExpiryOfDroppedTablesIsRemoved(t *testing.T) {
	t.Parallel()
	const later = 2_000_000_000
	for _, x := range []struct{ restarted, disabled bool }{{}, {restarted: true}, {disabled: true}} {
		state, now := openMemory(t), clock.Manual(time.Unix(1000, 0))
		s := openSessions(t, state, now)
		mustRun(t, s, "CreateTable", strings.Replace(sessions, `"sessions"`, `"dropped"`, 1))
		mustRun(t, s, "UpdateTimeToLive",
			`{"TableName":"dropped","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}}`)
		for i := range 1000 {
			mustRun(t, s, "PutItem", fmt.Sprintf(`{"TableName":"dropped","Item":{"id":{"S":"%d%s"},"until":{"N":"%d"}}}`, i,
				strings.Repeat("x", engine.StepBytes/500), later+i%7))
			if i%100 == 0 {
				putSession(t, s, fmt.Sprint(i), later)
			}
		}
		if x.disabled {
			mustRun(t, s, "UpdateTimeToLive",
				`{"TableName":"dropped","TimeToLiveSpecification":{"Enabled":false,"AttributeName":"until"}}`)
		}
		mustRun(t, s, "DeleteTable", `{"TableName":"dropped"}`)
		if x.restarted {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = openService(t, state, now)
		}
		advance(t, now, 2*engine.RemovalInterval)
		if n := keysUnder(t, state, []byte{keyspace.DynamoExpiry}); n != 10 {
			t.Errorf("%+v: there are %d entries, want 10", x, n)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
