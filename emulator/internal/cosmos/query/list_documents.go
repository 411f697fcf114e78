package query

import (
	"encoding/binary"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/continuation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// ListDocuments reads the feed of items, in the order of their creation; with the header A-IM it is the change feed.
func ListDocuments(c *operation.Call) *wire.Error {
	if c.Header("A-Im") != "" {
		return changeFeed(c)
	}
	f, err := newDocumentFeed(c)
	if err != nil {
		return err
	}
	place := continuation.Token{Owner: c.Container.RID, Query: [8]byte([]byte("readfeed"))}
	behind, err := f.resume(&place)
	if err != nil {
		return err
	}
	more := false
	problem := c.View(func(v *lag.View) error {
		return f.inOrder(v, behind, func(i *engine.Item) bool {
			if !f.holds(i) {
				return true
			}
			if more = f.full(); more {
				return false
			}
			f.add(func(dst []byte) []byte { return c.Container.AppendJSON(dst, i) })
			behind = i.RID
			return true
		})
	})
	if problem != nil {
		return c.Internal(problem)
	}
	f.reply(c.ShownLSN())
	// That the client knows the binary form is not enough for a feed (HeadersValidationTests of the SDK for .NET).
	if strings.EqualFold(f.Header("X-Ms-Documentdb-Content-Serialization-Format"), wire.FormBinary) {
		if err := f.ToBinary(); err != nil {
			return err
		}
	}
	if more {
		place.Pending = []continuation.Part{{EPKRange: f.span, State: binary.BigEndian.AppendUint64(nil, behind)}}
		c.Out.Set("x-ms-continuation", c.Account.Pages.Encode(&place))
	}
	return nil
}

// resume is the rid behind which the request's continuation goes on, in what it has in common with what is asked for.
func (f *documentFeed) resume(place *continuation.Token) (uint64, *wire.Error) {
	token := f.Header("X-Ms-Continuation")
	if token == "" {
		return 0, nil
	}
	given, err := f.Account.Pages.Decode(token)
	if err != nil || !given.SameQuery(place) || len(given.Pending) != 1 || len(given.Pending[0].State) != 8 {
		return 0, wire.InvalidContinuation()
	}
	if f.span = doc.Meet(f.span, given.Pending[0].EPKRange); f.span.Empty() {
		return 0, wire.InvalidContinuation()
	}
	return binary.BigEndian.Uint64(given.Pending[0].State), nil
}
