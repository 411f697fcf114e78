package store_test

import (
	"fmt"
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
