package emulator

import (
	"context"
	"log/slog"
)

// restart does to clients what the end of the process and its next start on the same data do: all connections end, also
// those of requests in progress, and every service starts again from what is committed. The ports stay open:
// connections that arrive meanwhile wait, instead of being refused. The caller is not among the requests in progress.
func (e *Emulator) restart(logger *slog.Logger) {
	for _, p := range []*port{e.port, e.cosmos.https, e.cosmos.compute, e.cosmos.http} {
		defer p.cut()()
	}
	err := e.replace(context.Background(), func() error { return nil }) // loads what the store has
	if err != nil && logger != nil {
		logger.Error("a fault did not restart the emulator", "error", err)
	}
}
