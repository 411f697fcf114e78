package capacity_test

import (
	"encoding/binary"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
)

var begin = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// BenchmarkTake measures a request to one table without indexes, with keys that do not fit in the sketch. The target is
// 200 ns without allocation.
func BenchmarkTake(b *testing.B) {
	for _, enforce := range []bool{true, false} {
		name := map[bool]string{true: "enforced", false: "counted"}[enforce]
		b.Run(name, func(b *testing.B) {
			r := capacity.New(capacity.Config{Name: "orders", Provisioned: capacity.Units{Read: 40_000, Write: 40_000},
				Enforce: enforce}, begin)
			keys := make([][]byte, 1024)
			for i := range keys {
				keys[i] = append(binary.BigEndian.AppendUint32(nil, uint32(i)*2654435761), "user#0000000001\x00\x01"...)
				binary.BigEndian.PutUint32(keys[i][9:], uint32(i))
			}
			now := begin
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				now = now.Add(25 * time.Microsecond)
				key := keys[i&1023]
				charges := [1]capacity.Charge{{Resource: r, Write: true, Units: 1, Key: key, Collection: len(key)}}
				capacity.Take(now, charges[:])
				r.Grow(key, 100)
			}
		})
	}
}

// TestManyAtOnce checks that concurrent requests are admitted as often as there are units, and that writes that an
// index throttles do not use the table's capacity.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	table := capacity.New(capacity.Config{Name: "orders", Provisioned: capacity.Units{Read: 1, Write: 100}, Enforce: true},
		begin)
	index := capacity.New(capacity.Config{Name: "orders/x", Index: true, Provisioned: capacity.Units{Read: 1, Write: 40},
		Enforce: true}, begin)
	var mu sync.Mutex
	var wg sync.WaitGroup
	admitted := 0
	for g := range 8 {
		wg.Go(func() {
			for i := range 50 {
				key := []byte{byte(g), byte(i), 0, 0, 'k', 0, 1}
				charge := capacity.Charge{Resource: table, Write: true, Units: 1, Key: key, Collection: len(key)}
				onIndex := charge
				onIndex.Resource = index
				if capacity.Take(begin, []capacity.Charge{charge, onIndex}) == nil {
					mu.Lock()
					admitted++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	key := []byte{1, 2, 3, 4, 'k', 0, 1}
	left := 0
	for capacity.Take(begin, []capacity.Charge{{Resource: table, Write: true, Units: 1, Key: key,
		Collection: len(key)}}) == nil {
		left++
	}
	if admitted != 40 || left != 60 {
		t.Errorf("%d admitted, then %d of the table alone; want the index's 40, and the table's other 60", admitted, left)
	}
}

func TestHeatNamesTheHottestKeys(t *testing.T) {
	t.Parallel()
	r := capacity.New(capacity.Config{Name: "orders", OnDemand: true}, begin)
	for i := range 6000 {
		key := binary.BigEndian.AppendUint32(nil, uint32(i)*2654435761)
		if i%3 == 0 {
			key = []byte("\x10\x00\x00\x00hot")
		}
		now := begin.Add(time.Duration(i) * 20 * time.Millisecond) // two minutes
		capacity.Take(now, []capacity.Charge{{Resource: r, Write: true, Units: 1, Key: key, Collection: len(key)}})
	}
	h := r.Heat(begin.Add(2*time.Minute-time.Second), func(key []byte) string { return string(key[4:]) })
	if len(h.Partitions) != 4 || len(h.Minutes) != 2 {
		t.Fatalf("%d partitions, %d minutes: %+v", len(h.Partitions), len(h.Minutes), h)
	}
	for _, m := range h.Minutes {
		total := 0.0
		for _, p := range m.Partitions {
			total += p.Write
		}
		if total != 3000 || len(m.Keys) != 10 || m.Keys[0].Key != "hot" || m.Keys[0].Write != 1000 {
			t.Errorf("at %v: %v units, hottest keys %+v", m.At, total, m.Keys)
		}
	}
	if later := r.Heat(begin.Add(4*time.Hour), func([]byte) string { return "" }); len(later.Minutes) != 0 {
		t.Errorf("after four hours: %+v", later.Minutes)
	}
}

// TestSize checks that a table without traffic uses little memory, and a table with traffic not much more.
func TestSize(t *testing.T) {
	const n = 500
	var all []*capacity.Resource
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC() // twice: pools of other tests keep their content for one collection
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	size := func(f func()) int64 {
		before := heap()
		f()
		return (heap() - before) / n
	}
	idle := size(func() {
		for range n {
			all = append(all, capacity.New(capacity.Config{Name: "orders", OnDemand: true}, begin))
		}
	})
	asked := size(func() {
		for _, r := range all {
			for i := range 200 {
				key := append(binary.BigEndian.AppendUint32(nil, uint32(i)*2654435761), "user#0000000001"...)
				capacity.Take(begin, []capacity.Charge{{Resource: r, Write: true, Units: 1, Key: key, Collection: len(key)}})
			}
		}
	})
	t.Logf("%d bytes idle, %d more asked", idle, asked)
	if idle > 3<<10 || asked > 12<<10 {
		t.Errorf("%d bytes idle, %d more asked", idle, asked)
	}
	runtime.KeepAlive(all)
}
