package bulkload_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/bulkload"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// table is a target in memory, which refuses items with "bad" and throttles as often as it is told to.
type table struct {
	t        *testing.T
	mu       sync.Mutex
	items    map[string]string // lines by key
	throttle int
	batches  int
	before   func()
}

func (b *table) Key(r *datafile.Record) (string, error) {
	id, ok := r.Item.Get("id")
	if !ok {
		return "", errors.New("no id")
	}
	return id.Text, nil
}

func (b *table) BatchSize() int { return 5 }

func (b *table) Write(ctx context.Context, batch []datafile.Record) (bulkload.Result, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.before != nil {
		b.before()
	}
	if ctx.Err() != nil {
		b.t.Error("a request began after the load was stopped")
	}
	seen := map[string]bool{}
	for i := range batch {
		key, _ := b.Key(&batch[i])
		if _, bad := batch[i].Item.Get("bad"); bad {
			return bulkload.Result{}, &bulkload.Refused{Reason: "bad item"}
		}
		if seen[key] {
			b.t.Errorf("the key %s is twice in a batch", key)
		}
		seen[key] = true
	}
	b.batches++
	result := bulkload.Result{Cost: float64(len(batch))}
	if b.throttle > 0 {
		b.throttle--
		result.Throttled, batch = batch[1:], batch[:1]
	}
	for i := range batch {
		key, _ := b.Key(&batch[i])
		if batch[i].Delete {
			delete(b.items, key)
		} else {
			b.items[key] = fmt.Sprint(batch[i].Line)
		}
	}
	return result, nil
}

// run loads a file of plain JSON, one item per line.
func run(ctx context.Context, t *testing.T, b *table, file string, skip bool) (bulkload.Counts, []string, error) {
	t.Helper()
	source, err := datafile.New(strings.NewReader(file), datafile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var invalid []string
	counts, err := bulkload.Load(ctx, source.Next, b, bulkload.Options{
		Invalid: func(i *datafile.Invalid) error {
			invalid = append(invalid, i.Error())
			if !skip {
				return i
			}
			return nil
		},
		Pause: func(context.Context, time.Duration) error { return nil },
	})
	return counts, invalid, err
}

func newTable(t *testing.T) *table { return &table{t: t, items: map[string]string{}} }

// TestTheLastItemOfAKeyStays loads each key many times, with throttling: the order of a key's lines is kept.
func TestTheLastItemOfAKeyStays(t *testing.T) {
	t.Parallel()
	var file strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&file, "{\"id\":\"%d\"}\n", i%7)
	}
	b := newTable(t)
	b.throttle = 50
	counts, _, err := run(t.Context(), t, b, file.String(), false)
	if err != nil || counts.Written != 3000 || len(b.items) != 7 || counts.Throttled == 0 {
		t.Errorf("%+v %v, %d items", counts, err, len(b.items))
	}
	for i := 3000 - 7; i < 3000; i++ {
		if got, want := b.items[fmt.Sprint(i%7)], fmt.Sprint(i+1); got != want {
			t.Errorf("key %d has line %s, want %s", i%7, got, want)
		}
	}
}

const badLines = `{"id":"1"}
{"x":"2"}
{"id":"3"}
{"id":"4","bad":1}
nothing
{"id":"6"}
`

func TestInvalidRecordsAreSkipped(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	counts, invalid, err := run(t.Context(), t, b, badLines, true)
	if err != nil || counts.Written != 3 || counts.Invalid != 3 || len(b.items) != 3 {
		t.Errorf("%+v %v, %v", counts, err, b.items)
	}
	for _, want := range []string{"line 2: no id", "line 4: bad item", "line 5: the item is not an object"} {
		if !strings.Contains(strings.Join(invalid, "\n"), want) {
			t.Errorf("%q, want %s", invalid, want)
		}
	}
}

// TestAnInvalidRecordStopsTheLoad checks that what precedes it is written.
func TestAnInvalidRecordStopsTheLoad(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	counts, _, err := run(t.Context(), t, b, badLines, false)
	if err == nil || err.Error() != "line 2: no id" || counts.Written != 1 || b.items["1"] != "1" || len(b.items) != 1 {
		t.Errorf("%+v %v, %v", counts, err, b.items)
	}
}

func TestADatabaseThatThrottlesForeverEndsTheLoad(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	always := always{b}
	source, err := datafile.New(strings.NewReader(`{"id":"1"}`), datafile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pauses := 0
	counts, err := bulkload.Load(t.Context(), source.Next, always, bulkload.Options{
		Pause: func(context.Context, time.Duration) error { pauses++; return nil },
	})
	if err == nil || !strings.Contains(err.Error(), "throttles all writes") || counts.Written != 0 || pauses != 25 {
		t.Errorf("%+v %v after %d pauses", counts, err, pauses)
	}
}

// always throttles everything.
type always struct{ *table }

func (always) Write(_ context.Context, batch []datafile.Record) (bulkload.Result, error) {
	return bulkload.Result{Throttled: batch}, nil
}

// TestStoppingCompletesTheRequestsUnderWay stops a load in the middle of a request: the counts say exactly what is in,
// and a reader that never returns does not matter.
func TestStoppingCompletesTheRequestsUnderWay(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b := newTable(t)
	b.before = cancel
	n, never := 0, make(chan struct{})
	defer close(never)
	counts, err := bulkload.Load(ctx, func() (datafile.Record, error) {
		if n++; n > 1000 {
			<-never
			return datafile.Record{}, io.EOF
		}
		item, err := datafile.ParseJSON(fmt.Appendf(nil, `{"id":"%d"}`, n), false)
		return datafile.Record{Item: item, Line: int64(n)}, err
	}, b, bulkload.Options{Workers: 3})
	if !errors.Is(err, context.Canceled) || counts.Written == 0 || counts.Written != int64(len(b.items)) {
		t.Errorf("%+v %v, %d items", counts, err, len(b.items))
	}
}

// TestAStoppedLoadHasNoInvalidRecord stops loads at any moment, of valid records only.
func TestAStoppedLoadHasNoInvalidRecord(t *testing.T) {
	t.Parallel()
	for range 500 {
		ctx, cancel := context.WithCancel(t.Context())
		b := newTable(t)
		n := 0
		counts, err := bulkload.Load(ctx, func() (datafile.Record, error) {
			if n++; n == 2 {
				cancel()
			}
			item, err := datafile.ParseJSON(fmt.Appendf(nil, `{"id":"%d"}`, n), false)
			return datafile.Record{Item: item, Line: int64(n)}, err
		}, b, bulkload.Options{Invalid: func(record *datafile.Invalid) error { return record }})
		if !errors.Is(err, context.Canceled) || counts.Invalid != 0 {
			t.Fatalf("%+v, %v", counts, err)
		}
	}
}

// TestAPanicReachesTheCaller loads files whose reader or target panics: the caller of Load can recover.
func TestAPanicReachesTheCaller(t *testing.T) {
	t.Parallel()
	record := datafile.Record{Item: datafile.Item{{Name: "id", Value: datafile.Value{Type: datafile.String, Text: "1"}}}}
	for name, c := range map[string]struct {
		next   func() (datafile.Record, error)
		before func()
	}{
		"reader": {next: func() (datafile.Record, error) { panic("broken reader") }},
		"target": {next: func() (datafile.Record, error) { return record, nil }, before: func() { panic("broken target") }},
	} {
		b := newTable(t)
		b.before = c.before
		func() {
			defer func() {
				if reason := fmt.Sprint(recover()); !strings.Contains(reason, "broken "+name) {
					t.Errorf("%s: Load panicked with %s", name, reason)
				}
			}()
			_, err := bulkload.Load(t.Context(), c.next, b, bulkload.Options{Workers: 1})
			t.Errorf("%s: Load returned %v", name, err)
		}()
	}
}
