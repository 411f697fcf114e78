package store

import (
	"fmt"
	"log/slog"
	"runtime"
)

// pebbleLogger hands Pebble's messages to slog at debug level: they are about files and compactions, of use to nobody
// who tests an application.
type pebbleLogger struct {
	logger    *slog.Logger
	condition *condition
}

func (l pebbleLogger) Infof(format string, args ...any) {
	l.logger.Debug("pebble: " + fmt.Sprintf(format, args...))
}

func (l pebbleLogger) Errorf(format string, args ...any) {
	l.logger.Debug("pebble: " + fmt.Sprintf(format, args...))
}

// Fatalf must not return: Pebble calls it when it cannot go on. It ends the goroutine, which unlocks what is unlocked
// by defer. Of the disk's refusals Pebble does not hear (guardFS), so what is left are faults of Pebble or ours.
func (l pebbleLogger) Fatalf(format string, args ...any) {
	l.condition.fail(&Failure{Op: "go on with", Path: "the database", Err: fmt.Errorf(format, args...)})
	runtime.Goexit()
}
