package store_test

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// BenchmarkSyncedUpdate measures 16 writers on disk, each of which waits for its commit to be synced, and how many of
// them share a sync.
func BenchmarkSyncedUpdate(b *testing.B) {
	s := open(b, b.TempDir())
	value := make([]byte, benchValue)
	var next atomic.Int64
	cpu := cpuTime()
	b.ReportAllocs()
	b.SetParallelism(8) // times GOMAXPROCS; on two processors 16 writers
	b.RunParallel(func(pb *testing.PB) {
		var key []byte
		for pb.Next() {
			key = benchKey(key, int(next.Add(1)))
			err := s.Update(store.Latch(key), func(tx *store.Tx) error {
				if _, _, err := tx.Get(key); err != nil {
					return err
				}
				return tx.Set(key, value)
			})
			if err != nil {
				b.Error(fmt.Errorf("key %x: %w", key, err))
				return
			}
		}
	})
	reportCPU(b, cpu)
}

// BenchmarkReplacementsOnDisk replaces items of 1 KB among 300,000 in a folder, 25 in an update, and reports how many
// bytes are written to sorted tables for each byte. Run it with -benchtime 150000x: compactions come late.
func BenchmarkReplacementsOnDisk(b *testing.B) {
	const items, batch = 300_000, 25
	s := open(b, b.TempDir())
	value, rng, written := make([]byte, 1<<10), rand.New(rand.NewPCG(1, 1)), 0
	put := func(n int, number func(i int) int) {
		for i := 0; i < n; i += batch {
			err := s.Update(store.Latch([]byte("all")), func(tx *store.Tx) error {
				for j := range batch {
					key := benchKey(nil, number(i+j))
					written += len(key) + len(value)
					if err := tx.Set(key, value); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	put(items, func(i int) int { return i })
	written = 0
	before, cpu := s.WrittenBytes(), cpuTime()
	b.ResetTimer()
	put(b.N, func(int) int { return rng.IntN(items) })
	reportCPU(b, cpu)
	b.ReportMetric(float64(s.WrittenBytes()-before)/float64(written), "written/byte")
}
