package store

import (
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
)

// tableBytes is about the size of all sorted tables of a database, in bytes.
type tableBytes struct{ atomic.Int64 }

// measuredBytes returns the size of all sorted tables of a database.
func measuredBytes(db *pebble.DB) (size int64) {
	for _, level := range db.Metrics().Levels {
		size += level.TablesSize
	}
	return size
}

func (t *tableBytes) flushed(info pebble.FlushInfo) { t.Add(sizeOf(info.Output)) }

func (t *tableBytes) compacted(info pebble.CompactionInfo) {
	if info.Err != nil {
		return
	}
	for _, level := range info.Input {
		t.Add(-sizeOf(level.Tables))
	}
	t.Add(sizeOf(info.Output.Tables))
}

func sizeOf(tables []pebble.TableInfo) (size int64) {
	for _, table := range tables {
		size += int64(table.Size)
	}
	return size
}
