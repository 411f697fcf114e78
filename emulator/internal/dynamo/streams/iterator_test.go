package streams

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// newTestEngine returns an engine without tables, whose clock stands still.
func newTestEngine(tb testing.TB) *engine.Engine {
	tb.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return engine.NewEngine(engine.EngineConfig{
		Store: s, Clock: clock.Manual(time.Unix(1_800_000_000, 0)), Log: slog.New(slog.DiscardHandler),
		Spaces: accounts.Spaces{Isolate: true},
	}, false, 0)
}

// TestIteratorsAreBoundToTheirAccount: nobody can forge an iterator, modify one, or use another account's.
func TestIteratorsAreBoundToTheirAccount(t *testing.T) {
	t.Parallel()
	e := newTestEngine(t)
	mine, theirs := e.AccountNamed("me/us-east-1"), e.AccountNamed("them/us-east-1")
	text, err := encodeIterator(mine, iterator{ARN: "arn:aws:dynamodb:us-east-1:000000000000:table/orders/stream/x",
		Shard: "shard", Next: 7, Issued: e.Clock.Now()})
	if err != nil {
		t.Fatal(err)
	}
	if i, err := decodeIterator(mine, text); err != nil || i.Shard != "shard" || i.Next != 7 ||
		!i.Issued.Equal(e.Clock.Now()) {
		t.Errorf("the iterator is read as %v (%v)", i, err)
	}
	if _, err := decodeIterator(theirs, text); err == nil {
		t.Error("another account can use it")
	}
	if _, err := decodeIterator(newTestEngine(t).AccountNamed("me/us-east-1"), text); err == nil {
		t.Error("another emulator can use it")
	}
	arn, token, _ := strings.Cut(text, iteratorVersion)
	for i := range token {
		changed := []byte(token)
		if changed[i] = 'A'; token[i] == 'A' {
			changed[i] = 'B'
		}
		if _, err := decodeIterator(mine, arn+iteratorVersion+string(changed)); err == nil {
			t.Errorf("it can be changed at %d", i)
		}
	}
	if _, err := decodeIterator(mine, strings.Replace(text, "orders", "people", 1)); err == nil {
		t.Error("it can be used for another table")
	}
}

func FuzzDecodeIterator(f *testing.F) {
	a := newTestEngine(f).AccountNamed("me/us-east-1")
	text, err := encodeIterator(a, iterator{ARN: "arn", Shard: "shard", Issued: a.Engine.Clock.Now()})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text + "A")
	f.Add("|1|")
	f.Add("arn|1|AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Fuzz(func(t *testing.T, candidate string) {
		if i, err := decodeIterator(a, candidate); err == nil && candidate != text {
			t.Errorf("%q is taken for %v", candidate, i)
		}
	})
}
