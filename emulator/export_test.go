package emulator

import (
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// WithDisk keeps the database's files of WithData on another disk.
func WithDisk(disk vfs.FS) Option { return func(o *options) { o.disk = disk } }

// WithBudget sets what one request to KMS, STS or CloudWatch may use.
func WithBudget(l budget.Limits) Option { return func(o *options) { o.budget = l } }

// Held is how many bytes of memory the requests in progress hold.
func (e *Emulator) Held() int64 { return e.pool.Used() }
