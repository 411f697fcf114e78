package emulator

import "github.com/cockroachdb/pebble/v2/vfs"

// WithDisk keeps the database's files of WithData on another disk.
func WithDisk(disk vfs.FS) Option { return func(o *options) { o.disk = disk } }
