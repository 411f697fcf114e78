package store

import (
	"fmt"
	"log/slog"
)

// debugLogger hands Pebble's messages to slog at debug level: they are about files and compactions, of use to nobody
// who tests an application.
type debugLogger struct{ logger *slog.Logger }

func (l debugLogger) Infof(format string, args ...any) {
	l.logger.Debug("pebble: " + fmt.Sprintf(format, args...))
}

func (l debugLogger) Errorf(format string, args ...any) {
	l.logger.Debug("pebble: " + fmt.Sprintf(format, args...))
}

// Fatalf must not return: Pebble calls it when going on would lose data, as with a log that cannot be written.
func (l debugLogger) Fatalf(format string, args ...any) {
	err := fatalError(fmt.Sprintf(format, args...))
	l.logger.Error("the store cannot go on: " + string(err))
	panic(err)
}

// fatalError is what Fatalf panics with.
type fatalError string

// Error returns Pebble's message.
func (e fatalError) Error() string { return string(e) }
