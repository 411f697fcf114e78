package dynamo

import (
	"fmt"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/streams"
)

// TestExpiredLogRecordsAreRemoved writes for weeks of the clock: what nobody can read any more is removed from the
// store.
func TestExpiredLogRecordsAreRemoved(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, operation, request string
		days                     int // retention of the log
	}{
		{"stream", "UpdateTable",
			`{"TableName":"orders","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`, 1},
		{"recovery", "UpdateContinuousBackups",
			`{"TableName":"orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":3}}`,
			3},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			state := openMemory(t)
			s := withOrders(t, state, 0)
			defer s.Close()
			mustRun(t, s, test.operation, test.request)
			for i := range 14 * 24 {
				mustRun(t, s, "PutItem", fmt.Sprintf(`{"TableName":"orders","Item":{"id":{"S":"%d"}}}`, i))
				if err := s.engine.Clock.Advance(time.Hour); err != nil {
					t.Fatal(err)
				}
			}
			if n := keysUnder(t, state, []byte{'l'}); n < test.days*24 || n > test.days*24*9/8+4 {
				t.Errorf("after two weeks of a change an hour there are %d changes in the log, want those of %d days", n, test.days)
			}
			mustRun(t, s, "DeleteTable", `{"TableName":"orders"}`)
			if err := s.engine.Clock.Advance(36 * backup.Day); err != nil {
				t.Fatal(err)
			}
			for _, prefix := range []byte{engine.SpaceLog, engine.SpaceBackups, engine.SpaceItems} {
				if n := keysUnder(t, state, []byte{prefix}); n > 1 { // a log keeps its last position
					t.Errorf("long after the table is gone there are %d keys under %c", n, prefix)
				}
			}
			if n := keysUnder(t, state, streams.StreamKey(s.engine.SharedAccount.Load(), "arn")[:4]); n > 0 {
				t.Errorf("long after the table is gone there are %d streams", n)
			}
		})
	}
}

// TestPanickingRemovalsAreRetried makes the removal find a stream without its log.
func TestPanickingRemovalsAreRetried(t *testing.T) {
	t.Parallel()
	state := openMemory(t)
	s := withOrders(t, state, 0)
	defer s.Close()
	mustRun(t, s, "UpdateTable",
		`{"TableName":"orders","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`)
	mustRun(t, s, "PutItem", `{"TableName":"orders","Item":{"id":{"S":"1"}}}`)
	a := s.engine.SharedAccount.Load()
	var log *changelog.Log
	for _, st := range streamsOf(a).All() {
		log, st.Log = st.Log, nil
	}
	if err := s.engine.Clock.Advance(2 * backup.Day); err != nil {
		t.Fatal(err)
	}
	for _, st := range streamsOf(a).All() {
		st.Log = log
	}
	if n := keysUnder(t, state, []byte{'l'}); n < 2 {
		t.Fatalf("there are %d keys of the log before it could be trimmed", n)
	}
	if err := s.engine.Clock.Advance(2 * engine.RemovalInterval); err != nil {
		t.Fatal(err)
	}
	if n := keysUnder(t, state, []byte{'l'}); n > 1 {
		t.Errorf("two pauses later there are %d keys of the log", n)
	}
}
