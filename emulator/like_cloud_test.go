package emulator_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

func TestParsePieces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []emulator.Piece
	}{
		{"", emulator.Pieces()},
		{"throttling", []emulator.Piece{emulator.Throttling}},
		{"states, lag,conflicts", []emulator.Piece{emulator.States, emulator.Lag, emulator.Conflicts}},
	} {
		if got, err := emulator.ParsePieces(c.text); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, %v; want %v", c.text, got, err, c.want)
		}
	}
}

func TestUnknownPieceIsRefused(t *testing.T) {
	t.Parallel()
	const want = `unknown cloud behaviour "thunder": use throttling, lag, conflicts or states`
	_, parsed := emulator.ParsePieces("lag,thunder")
	_, started := emulator.Start(emulator.WithLikeCloud("thunder"))
	for _, err := range []error{parsed, started} {
		var unknown *emulator.PieceError
		if !errors.As(err, &unknown) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
