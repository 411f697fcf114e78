package history

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// maxConcurrent is how many requests may read earlier states at a time: each holds up to two overlays.
const maxConcurrent = 4

// Bounds limit what a request uses.
type Bounds struct {
	OverlayBytes int   // memory of an overlay, as counted by entryBytes
	PageSteps    int64 // work of a request
}

// Extension keeps the overlays between the pages of a view.
type Extension struct {
	engine.BaseExtension
	Bounds   Bounds
	overlays overlays
	slots    chan struct{} // has an element for each request in progress
}

// NewExtension returns the extension of an engine. An overlay has at most about 70,000 keys.
func NewExtension() *Extension {
	return &Extension{Bounds: Bounds{OverlayBytes: 8 << 20, PageSteps: engine.PageSteps},
		slots: make(chan struct{}, maxConcurrent)}
}

// extensionOf returns the extension of a request's engine.
func extensionOf(req *engine.Request) *Extension { return engine.ExtensionOf[*Extension](req.Engine) }

// spent reports whether a request has done its share of work.
func spent(req *engine.Request) bool { return req.Work.Steps() > extensionOf(req).Bounds.PageSteps }

// Enter waits until fewer than maxConcurrent requests are in progress. Leave must follow if it returns nil. Errors: the
// cause of the context's end.
func (p *Extension) Enter(ctx context.Context) error {
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Leave ends a request.
func (p *Extension) Leave() { <-p.slots }

// Stop drops the overlays: the state is replaced, or the service is closed.
func (p *Extension) Stop() { p.overlays.clear() }
