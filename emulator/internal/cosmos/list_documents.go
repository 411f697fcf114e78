package cosmos

import (
	"encoding/binary"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/continuation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// listDocuments reads the feed of items, in the order of their creation; with the header A-IM it is the change feed.
func listDocuments(c *call) *Error {
	if c.header("A-Im") != "" {
		return c.changeFeed()
	}
	f, err := c.newDocumentFeed()
	if err != nil {
		return err
	}
	place := continuation.Token{Owner: c.container.rid, Query: [8]byte([]byte("readfeed"))}
	behind, err := f.resume(&place)
	if err != nil {
		return err
	}
	more := false
	problem := c.view(func(v *lag.View) error {
		return f.inOrder(v, behind, func(i *item) bool {
			if !f.holds(i) {
				return true
			}
			if more = f.full(); more {
				return false
			}
			f.add(func(dst []byte) []byte { return c.container.appendJSON(dst, i) })
			behind = i.rid
			return true
		})
	})
	if problem != nil {
		return c.internal(problem)
	}
	f.reply(c.shownLSN())
	// That the client knows the binary form is not enough for a feed (HeadersValidationTests of the SDK for .NET).
	if strings.EqualFold(f.header("X-Ms-Documentdb-Content-Serialization-Format"), formBinary) {
		if err := f.toBinary(); err != nil {
			return err
		}
	}
	if more {
		place.Pending = []continuation.Part{{EPKRange: f.span, State: binary.BigEndian.AppendUint64(nil, behind)}}
		c.out.set("x-ms-continuation", c.account.pages.Encode(&place))
	}
	return nil
}

// resume is the rid behind which the request's continuation goes on, in what it has in common with what is asked for.
func (f *documentFeed) resume(place *continuation.Token) (uint64, *Error) {
	token := f.header("X-Ms-Continuation")
	if token == "" {
		return 0, nil
	}
	given, err := f.account.pages.Decode(token)
	if err != nil || !given.SameQuery(place) || len(given.Pending) != 1 || len(given.Pending[0].State) != 8 {
		return 0, invalidContinuation()
	}
	if f.span = doc.Meet(f.span, given.Pending[0].EPKRange); f.span.Empty() {
		return 0, invalidContinuation()
	}
	return binary.BigEndian.Uint64(given.Pending[0].State), nil
}
