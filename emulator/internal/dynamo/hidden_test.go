package dynamo

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/streams"
)

// TestHiddenRestoredTablesAreCounted closes the service while a restored table is still hidden.
func TestHiddenRestoredTablesAreCounted(t *testing.T) {
	t.Parallel()
	state, now := openMemory(t), clock.Manual(time.Unix(1_800_000_000, 0))
	s, err := New(Config{Store: state, Clock: now, States: true})
	if err != nil {
		t.Fatal(err)
	}
	mustRun(t, s, "CreateTable", sessions)
	if err := now.Advance(time.Minute); err != nil {
		t.Fatal(err)
	}
	mustRun(t, s, "PutItem", `{"TableName":"sessions","Item":{"id":{"S":"a"}}}`)
	mustRun(t, s, "CreateBackup", `{"TableName":"sessions","BackupName":"daily"}`)
	for arn := range backupsOf(s.engine.SharedAccount.Load()).All() {
		mustRun(t, s, "RestoreTableFromBackup", `{"TargetTableName":"restored","BackupArn":"`+arn+`"}`)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	next := openService(t, state, now)
	defer next.Close()
	restored, err := next.engine.SharedAccount.Load().NamedTable("restored")
	if err != nil {
		t.Fatal(err)
	}
	if n := restored.Stats.Items.Load(); n != 1 {
		t.Errorf("the restored table has %d items by its count, want 1", n)
	}
}

// TestTablesWithADisabledKeyAreCountedLater closes the service while the table's key is disabled, without which its
// items cannot be counted.
func TestTablesWithADisabledKeyAreCountedLater(t *testing.T) {
	t.Parallel()
	v := newEncryptedService(t, t.TempDir())
	v.createTable(byKeyA)
	v.fill(0, 2)
	v.keys.disabled["key-a"] = true
	v.restart()
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	v.keys.disabled["key-a"] = false
	v.restart()
	defer v.Close()
	orders, err := v.engine.SharedAccount.Load().NamedTable("orders")
	if err != nil {
		t.Fatal(err)
	}
	if table, index := orders.Stats.Items.Load(), orders.Indexes[0].Stats.Items.Load(); table != 2 || index != 2 {
		t.Errorf("%d items and %d entries are counted, want 2", table, index)
	}
}

// TestDescribingAHiddenTableAddsNoShards describes the stream of a table that is still hidden.
func TestDescribingAHiddenTableAddsNoShards(t *testing.T) {
	t.Parallel()
	now := clock.Manual(time.Unix(1_800_000_000, 0))
	s, err := New(Config{Store: openMemory(t), Clock: now, States: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustRun(t, s, "CreateTable", strings.TrimSuffix(sessions, "}")+
		`,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`)
	a := s.engine.SharedAccount.Load()
	for range 2 {
		for arn := range streamsOf(a).All() {
			st, err := streams.RepartitionedStream(a, t.Context(), arn)
			if err != nil || len(st.Partitioning) != 1 || len(st.Partitioning[0].Bounds) < 2 {
				t.Errorf("the stream is divided as %v (%v), want once, like its table", st.Partitioning, err)
			}
		}
		if err := now.Advance(time.Minute); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadersOfAStreamDoNotWaitForChangesOfTables describes a stream whose table got more partitions, during a change
// of another table, and then several times at once.
func TestReadersOfAStreamDoNotWaitForChangesOfTables(t *testing.T) {
	t.Parallel()
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1_800_000_000, 0)))
	defer s.Close()
	mustRun(t, s, "CreateTable", strings.TrimSuffix(sessions, "}")+
		`,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`)
	mustRun(t, s, "UpdateTable", `{"TableName":"sessions","BillingMode":"PROVISIONED",`+
		`"ProvisionedThroughput":{"ReadCapacityUnits":30000,"WriteCapacityUnits":10000}}`)
	a := s.engine.SharedAccount.Load()
	arn := streamOf(s, "sessions").ARN
	if err := a.DDL.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave() // waiting fails
	if st, err := streams.RepartitionedStream(a, gone, arn); err != nil || len(st.Partitioning) != 1 {
		t.Errorf("during a change of a table: %v, %v", st, err)
	}
	a.DDL.Open()
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			if _, err := streams.RepartitionedStream(a, t.Context(), arn); err != nil {
				t.Error(err)
			}
		})
	}
	readers.Wait()
	if st := streamOf(s, "sessions"); len(st.Partitioning) != 2 {
		t.Errorf("the stream was divided %d times, want twice", len(st.Partitioning))
	}
}
