package emulatorcmd

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator"
)

// cloudBehaviours is the value of --like-cloud. nil enables none: the emulator is strict.
type cloudBehaviours []emulator.Piece

// allBehaviours is the value of --like-cloud without a value.
const allBehaviours = "all"

// Set reads a comma-separated list. An empty list means all.
func (p *cloudBehaviours) Set(text string) error {
	if text == allBehaviours {
		text = ""
	}
	var err error
	*p, err = emulator.ParsePieces(text)
	return err
}

// String returns the list in the form that Set reads.
func (p *cloudBehaviours) String() string {
	names := make([]string, len(*p))
	for i, piece := range *p {
		names[i] = string(piece)
	}
	return strings.Join(names, ",")
}

// Type returns the name of the value in the help.
func (p *cloudBehaviours) Type() string { return "behaviours" }
