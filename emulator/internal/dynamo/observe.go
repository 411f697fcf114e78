package dynamo

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// watch notifies the observers when a request is answered. Without observers it does nothing.
type watch struct {
	observers []func(*telemetry.Event)
	start     time.Time // by the emulator's clock
	startWall time.Time // by the machine's clock
}

func (s *Service) watch() watch {
	if len(s.observers) == 0 {
		return watch{}
	}
	return watch{s.observers, s.engine.Clock.Now(), time.Now()}
}

func (w watch) observe(e *telemetry.Event, request, response []byte) {
	if len(w.observers) == 0 {
		return
	}
	e.Start, e.Elapsed = w.start, time.Since(w.startWall)
	e.Request, e.Response = request, response
	for _, observe := range w.observers {
		observe(e)
	}
}
