package emulatorcmd

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator"
)

// pieces is the value of --like-cloud. nil enables no cloud behaviours: the strict temperament.
type pieces []emulator.Piece

// allPieces is the value of --like-cloud without a value.
const allPieces = "all"

// Set reads a comma-separated list. An empty list means all.
func (p *pieces) Set(text string) error {
	if text == allPieces {
		text = ""
	}
	var err error
	*p, err = emulator.ParsePieces(text)
	return err
}

// String returns the list in the form that Set reads.
func (p *pieces) String() string {
	names := make([]string, len(*p))
	for i, piece := range *p {
		names[i] = string(piece)
	}
	return strings.Join(names, ",")
}

// Type returns the name of the value in the help.
func (p *pieces) Type() string { return "behaviours" }
