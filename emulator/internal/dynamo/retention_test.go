package dynamo

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/streams"
)

// TestTheLogIsBounded writes for weeks of the clock: what nobody can read any more is removed from the store.
func TestTheLogIsBounded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, operation, request string
		days                     int // retention of the log
	}{
		{"stream", "UpdateTable", `{"TableName":"orders","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`, 1},
		{"recovery", "UpdateContinuousBackups",
			`{"TableName":"orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":3}}`, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			state := openMemory(t)
			s := withOrders(t, state, 0)
			defer s.Close()
			ask(t, s, test.operation, test.request)
			for i := range 14 * 24 {
				ask(t, s, "PutItem", fmt.Sprintf(`{"TableName":"orders","Item":{"id":{"S":"%d"}}}`, i))
				if err := s.engine.Clock.Advance(time.Hour); err != nil {
					t.Fatal(err)
				}
			}
			if n := keysUnder(t, state, []byte{'l'}); n < test.days*24 || n > test.days*24*9/8+4 {
				t.Errorf("after two weeks of a change an hour there are %d changes in the log, want those of %d days", n, test.days)
			}
			ask(t, s, "DeleteTable", `{"TableName":"orders"}`)
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

// TestIteratorsAreTheAccountsOwn: nobody can forge an iterator, modify one, or use another account's.
func TestIteratorsAreTheAccountsOwn(t *testing.T) {
	t.Parallel()
	s, err := New(Config{Store: openMemory(t), Clock: clock.Manual(time.Unix(1_800_000_000, 0)), Isolate: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mine, theirs := s.engine.AccountNamed("me/us-east-1").Intern(), s.engine.AccountNamed("them/us-east-1").Intern()
	text, err := streams.EncodeIterator(mine, streams.Iterator{ARN: "arn:aws:dynamodb:us-east-1:000000000000:table/orders/stream/x", Shard: "shard", Next: 7, Issued: s.engine.Clock.Now()})
	if err != nil {
		t.Fatal(err)
	}
	if i, err := streams.DecodeIterator(mine, text); err != nil || i.Shard != "shard" || i.Next != 7 || !i.Issued.Equal(s.engine.Clock.Now()) {
		t.Errorf("the iterator is read as %v (%v)", i, err)
	}
	if _, err := streams.DecodeIterator(theirs, text); err == nil {
		t.Error("another account can use it")
	}
	other, err := New(Config{Store: openMemory(t), Clock: s.engine.Clock})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := streams.DecodeIterator(other.engine.SharedAccount.Load(), text); err == nil {
		t.Error("another emulator can use it")
	}
	arn, token, _ := strings.Cut(text, streams.IteratorVersion)
	for i := range token {
		changed := []byte(token)
		if changed[i] = 'A'; token[i] == 'A' {
			changed[i] = 'B'
		}
		if _, err := streams.DecodeIterator(mine, arn+streams.IteratorVersion+string(changed)); err == nil {
			t.Errorf("it can be changed at %d", i)
		}
	}
	if _, err := streams.DecodeIterator(mine, strings.Replace(text, "orders", "people", 1)); err == nil {
		t.Error("it can be used for another table")
	}
}

func FuzzDecodeIterator(f *testing.F) {
	s, err := New(Config{Store: openMemory(f), Clock: clock.Manual(time.Unix(1_800_000_000, 0))})
	if err != nil {
		f.Fatal(err)
	}
	a := s.engine.SharedAccount.Load()
	text, err := streams.EncodeIterator(a, streams.Iterator{ARN: "arn", Shard: "shard", Issued: s.engine.Clock.Now()})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text + "A")
	f.Add("|1|")
	f.Add("arn|1|AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Fuzz(func(t *testing.T, candidate string) {
		if i, err := streams.DecodeIterator(a, candidate); err == nil && candidate != text {
			t.Errorf("%q is taken for %v", candidate, i)
		}
	})
}

// TestARemovalThatPanicsIsRepeated makes the removal find a stream without its log.
func TestARemovalThatPanicsIsRepeated(t *testing.T) {
	t.Parallel()
	state := openMemory(t)
	s := withOrders(t, state, 0)
	defer s.Close()
	ask(t, s, "UpdateTable", `{"TableName":"orders","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`)
	ask(t, s, "PutItem", `{"TableName":"orders","Item":{"id":{"S":"1"}}}`)
	a := s.engine.SharedAccount.Load()
	var log *changelog.Log
	for _, st := range streams.Streams(a) {
		log, st.Log = st.Log, nil
	}
	if err := s.engine.Clock.Advance(2 * backup.Day); err != nil {
		t.Fatal(err)
	}
	for _, st := range streams.Streams(a) {
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
