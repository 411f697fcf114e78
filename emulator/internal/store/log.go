package store

import (
	"fmt"
	"log/slog"
	"runtime"
)

// pebbleLogger passes Pebble's messages to slog at debug level: they are about files and compactions, which do not help
// to test an application.
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

// Fatalf must not return: Pebble calls it when it cannot continue. It ends the goroutine, which unlocks what is
// unlocked by defer. Since guardFS hides the disk's errors from Pebble, the cause is a bug of Pebble or ours.
func (l pebbleLogger) Fatalf(format string, args ...any) {
	l.condition.fail(&Failure{Op: "go on with", Path: "the database", Err: fmt.Errorf(format, args...)})
	runtime.Goexit()
}
