package emulator

import (
	"fmt"
	"slices"
	"strings"
)

// Piece is a part of the cloud's temperament, which the emulator leaves out unless WithLikeCloud asks for it.
type Piece string

// The pieces.
const (
	// Throttling refuses what is beyond the capacity of a table, an index, a partition or the account.
	Throttling Piece = "throttling"
	// Lag lets eventually consistent reads, and global secondary indexes, trail the writes.
	Lag Piece = "lag"
	// Conflicts lets requests that meet on one item fail as the service's do.
	Conflicts Piece = "conflicts"
	// States lets tables and indexes take their time to be created, updated and deleted.
	States Piece = "states"
)

// Pieces are all pieces there are.
func Pieces() []Piece { return []Piece{Throttling, Lag, Conflicts, States} }

// WithLikeCloud has the emulator behave as the cloud does in these pieces, in all where none is named. By default it is
// strict: tables are there at once, reads see every write, and nothing is throttled. A piece that there is not makes
// Start fail.
func WithLikeCloud(pieces ...Piece) Option {
	if len(pieces) == 0 {
		pieces = Pieces()
	}
	return func(o *options) { o.likeCloud = append(o.likeCloud, pieces...) }
}

// ParsePieces reads pieces as a person writes them, such as "throttling,lag"; an empty text is all of them. An unknown
// one is a PieceError.
func ParsePieces(text string) ([]Piece, error) {
	if strings.TrimSpace(text) == "" {
		return Pieces(), nil
	}
	var pieces []Piece
	for name := range strings.SplitSeq(text, ",") {
		pieces = append(pieces, Piece(strings.TrimSpace(name)))
	}
	return pieces, checkPieces(pieces)
}

// PieceError is a piece that there is not.
type PieceError struct{ Piece Piece }

func (e *PieceError) Error() string {
	all := Pieces()
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = string(p)
	}
	last := len(names) - 1
	return fmt.Sprintf("unknown piece %q of the cloud: use %s or %s", string(e.Piece), strings.Join(names[:last], ", "), names[last])
}

func checkPieces(pieces []Piece) error {
	for _, p := range pieces {
		if !slices.Contains(Pieces(), p) {
			return &PieceError{p}
		}
	}
	return nil
}

// like says whether a piece of the cloud was asked for.
func (o *options) like(p Piece) bool { return slices.Contains(o.likeCloud, p) }
