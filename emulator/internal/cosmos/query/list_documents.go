package query

import (
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/continuation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// ListDocuments reads the feed of items in creation order or, with the header A-IM, the change feed.
func ListDocuments(c *operation.Call) *wire.Error {
	if c.Header("A-Im") != "" {
		return operation.Do(c, readChanges, runChanges)
	}
	return operation.Do(c, readFeed, runFeed)
}

func runFeed(r *operation.Run, in feedInput) *wire.Error {
	f, err := newDocumentFeed(r, in)
	if err != nil {
		return err
	}
	place := continuation.Token{Owner: r.Container.RID, Query: [8]byte([]byte("readfeed"))}
	after, err := f.resume(&place)
	if err != nil {
		return err
	}
	x, readErr := f.itemIndex()
	if readErr != nil {
		return r.Internal(readErr)
	}
	readErr = r.View(func(v *lag.View) error {
		return f.eachInOrder(v, x, after, func(i *engine.Item) bool {
			held := f.holds(i)
			if f.more = f.endsBefore(held); f.more {
				return false
			}
			if f.count(i); held {
				f.add(func(dst []byte) []byte { return r.Container.AppendJSON(dst, i) })
			}
			after = i.RID
			return true
		})
	})
	if err := f.finish(readErr); err != nil {
		return err
	}
	f.reply(r.SessionLSN())
	if in.binary {
		if err := f.ToBinary(); err != nil {
			return err
		}
	}
	if f.more {
		place.Pending = []continuation.Part{{EPKRange: f.span, State: binary.BigEndian.AppendUint64(nil, after)}}
		r.Out.Set("x-ms-continuation", r.Account.Continuations.Encode(&place))
	}
	return nil
}

// resume returns the rid after which the request's continuation continues, and narrows the span to that of the
// continuation.
func (f *documentFeed) resume(place *continuation.Token) (uint64, *wire.Error) {
	if f.token == "" {
		return 0, nil
	}
	given, err := f.Account.Continuations.Decode(f.token)
	if err != nil || !given.SameQuery(place) || len(given.Pending) != 1 || len(given.Pending[0].State) != 8 {
		return 0, wire.InvalidContinuation()
	}
	if f.span = doc.Intersect(f.span, given.Pending[0].EPKRange); f.span.Empty() {
		return 0, wire.InvalidContinuation()
	}
	return binary.BigEndian.Uint64(given.Pending[0].State), nil
}
