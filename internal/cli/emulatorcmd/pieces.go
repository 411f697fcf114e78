package emulatorcmd

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator"
)

// pieces is the value of --like-cloud. nil is none: the strict temperament.
type pieces []emulator.Piece

// allPieces is what --like-cloud means without a value.
const allPieces = "all"

// Set reads a list with commas; an empty one is all.
func (p *pieces) Set(text string) error {
	if text == allPieces {
		text = ""
	}
	var err error
	*p, err = emulator.ParsePieces(text)
	return err
}

// String is the list as Set reads it.
func (p *pieces) String() string {
	names := make([]string, len(*p))
	for i, piece := range *p {
		names[i] = string(piece)
	}
	return strings.Join(names, ",")
}

// Type is how the help calls the value.
func (p *pieces) Type() string { return "pieces" }
