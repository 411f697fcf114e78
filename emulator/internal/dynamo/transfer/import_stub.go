package transfer

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"

// Import is the description of an import.
type Import struct{ job }

var _ = engine.Creating
