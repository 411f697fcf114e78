package store

import (
	"log/slog"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// memorySettings are Pebble's options for a store in memory.
func memorySettings(logger *slog.Logger) *pebble.Options {
	opts := commonSettings(logger)
	opts.FS = vfs.NewMem()
	opts.DisableWAL = true
	return opts
}

// diskSettings are Pebble's options for a store in a folder.
func diskSettings(logger *slog.Logger) *pebble.Options {
	opts := commonSettings(logger)
	opts.FS = vfs.Default
	return opts
}

func commonSettings(logger *slog.Logger) *pebble.Options {
	opts := &pebble.Options{
		FormatMajorVersion: pebble.FormatValueSeparation,
		Logger:             debugLogger{logger},
	}
	opts.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionNone })
	return opts
}
