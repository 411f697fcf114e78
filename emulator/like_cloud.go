package emulator

import (
	"fmt"
	"slices"
	"strings"
)

// Piece is a behaviour of the cloud that the emulator omits unless WithLikeCloud enables it.
type Piece string

// The behaviours of the cloud.
const (
	// Throttling refuses requests beyond the capacity of a table, an index, a partition or the account.
	Throttling Piece = "throttling"
	// Lag lets eventually consistent reads, and global secondary indexes, lag behind writes.
	Lag Piece = "lag"
	// Conflicts makes concurrent requests for one item fail as the service's do.
	Conflicts Piece = "conflicts"
	// States makes the creation, update and deletion of tables and indexes take time.
	States Piece = "states"
)

// Pieces returns all pieces.
func Pieces() []Piece { return []Piece{Throttling, Lag, Conflicts, States} }

// WithLikeCloud enables pieces of the cloud's behaviour, or all of them if none is named. By default the emulator is
// strict: tables are available at once, reads see every write, and nothing is throttled. Start fails if a piece is
// unknown.
func WithLikeCloud(pieces ...Piece) Option {
	if len(pieces) == 0 {
		pieces = Pieces()
	}
	return func(o *options) { o.likeCloud = append(o.likeCloud, pieces...) }
}

// ParsePieces parses a comma-separated list of pieces, such as "throttling,lag"; an empty text means all of them.
// Errors: a PieceError for an unknown piece.
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

// PieceError reports an unknown piece.
type PieceError struct{ Piece Piece }

func (e *PieceError) Error() string {
	all := Pieces()
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = string(p)
	}
	last := len(names) - 1
	return fmt.Sprintf("unknown cloud behaviour %q: use %s or %s", string(e.Piece), strings.Join(names[:last], ", "),
		names[last])
}

func checkPieces(pieces []Piece) error {
	for _, p := range pieces {
		if !slices.Contains(Pieces(), p) {
			return &PieceError{p}
		}
	}
	return nil
}

// enabled reports whether a piece is enabled.
func (o *options) enabled(p Piece) bool { return slices.Contains(o.likeCloud, p) }
