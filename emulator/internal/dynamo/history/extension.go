package history

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/pointintime"
)

// Extension keeps the views between their pages.
type Extension struct {
	engine.BaseExtension
	pointintime.Slots
	Bounds pointintime.Bounds
	views  pointintime.Views
}

// NewExtension returns the extension of an engine.
func NewExtension() *Extension {
	return &Extension{Slots: pointintime.NewSlots(), Bounds: pointintime.DefaultBounds(engine.PageSteps)}
}

// extensionOf returns the extension of a request's engine.
func extensionOf(req *engine.Request) *Extension { return engine.ExtensionOf[*Extension](req.Engine) }

// Stop drops the views: the state is replaced, or the service is closed.
func (p *Extension) Stop() { p.views.Clear() }

// convert converts a mistake in a request into the service's error.
func convert(err error) error {
	var mistake pointintime.Error
	if errors.As(err, &mistake) {
		return wire.ValidationError(mistake.Error())
	}
	return err
}
