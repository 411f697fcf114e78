package store_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

const benchValue = 450 // bytes: an item of 400 B in its stored form

// benchKey writes the i-th key as tables do: the hash of the partition key puts neighbors far apart.
func benchKey(dst []byte, i int) []byte {
	dst = store.AppendUint32(dst[:0], 7)
	hash := uint64(i) * 0x9e3779b97f4a7c15
	dst = store.AppendUint64(dst, hash)
	return store.AppendEscaped(dst, fmt.Appendf(nil, "user#%08d", i))
}

func BenchmarkUpdate(b *testing.B) {
	for _, items := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprintf("items=%d", items), func(b *testing.B) {
			s := filled(b, items)
			value := make([]byte, benchValue)
			key := make([]byte, 0, 64)
			cpu := cpuTime()
			b.ReportAllocs()
			for b.Loop() {
				key = benchKey(key, rand.IntN(items))
				binary.BigEndian.PutUint64(value, rand.Uint64())
				err := s.Update(store.Latch(key), func(tx *store.Tx) error {
					if _, _, err := tx.Get(key); err != nil {
						return err
					}
					return tx.Set(key, value)
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			reportCPU(b, cpu)
		})
	}
}

func BenchmarkGet(b *testing.B) {
	for _, items := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprintf("items=%d", items), func(b *testing.B) {
			s := filled(b, items)
			key := make([]byte, 0, 64)
			cpu := cpuTime()
			b.ReportAllocs()
			for b.Loop() {
				key = benchKey(key, rand.IntN(items))
				err := s.Get(key, func(value []byte, ok bool) error {
					if !ok || len(value) != benchValue {
						return fmt.Errorf("key %x: %d bytes", key, len(value))
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			reportCPU(b, cpu)
		})
	}
}

// BenchmarkGetMany reads 25 keys in one consistent view, as a BatchGetItem does.
func BenchmarkGetMany(b *testing.B) {
	for _, items := range []int{10_000, 100_000} {
		s := filled(b, items)
		for _, way := range []string{"Get", "Lookup"} {
			b.Run(fmt.Sprintf("items=%d/%s", items, way), func(b *testing.B) {
				key := make([]byte, 0, 64)
				cpu := cpuTime()
				b.ReportAllocs()
				for b.Loop() {
					err := s.View(func(r *store.Reader) error {
						get := r.Get
						if way == "Lookup" {
							l := r.Lookup()
							defer l.Close()
							get = l.Get
						}
						for range 25 {
							key = benchKey(key, rand.IntN(items))
							if value, ok, err := get(key); err != nil || !ok || len(value) != benchValue {
								return fmt.Errorf("key %x: %d bytes: %w", key, len(value), err)
							}
						}
						return nil
					})
					if err != nil {
						b.Fatal(err)
					}
				}
				reportCPU(b, cpu)
			})
		}
	}
}

// BenchmarkScan iterates over pages of 20 keys in one consistent view, as a query does.
func BenchmarkScan(b *testing.B) {
	for _, items := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprintf("items=%d", items), func(b *testing.B) {
			s := filled(b, items)
			key := make([]byte, 0, 64)
			b.ReportAllocs()
			for b.Loop() {
				key = benchKey(key, rand.IntN(items))
				err := s.View(func(r *store.Reader) error {
					it := r.Iter(key, nil, false)
					for n := 0; n < 20 && it.Next(); n++ {
						_ = it.Value()
					}
					return it.Close()
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		s, err := store.Open(store.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// filled returns a store in memory with that many items.
func filled(b *testing.B, items int) *store.Store {
	b.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	value := make([]byte, benchValue)
	var key []byte
	for i := range items {
		key = benchKey(key, i)
		binary.BigEndian.PutUint64(value, rand.Uint64())
		if err := s.Update(store.Latch(key), func(tx *store.Tx) error { return tx.Set(key, value) }); err != nil {
			b.Fatal(err)
		}
	}
	runtime.GC()
	return s
}

func reportCPU(b *testing.B, since time.Duration) {
	b.ReportMetric(float64(cpuTime()-since)/float64(b.N), "cpu-ns/op")
}
