package query

import (
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// readVersionsStart reads where a feed of all versions starts: now, or at a continuation.
func readVersionsStart(r *operation.Request, container *engine.Container) (start feedStart, err *wire.Error) {
	if container.Definition.Load().Retention == 0 {
		return start,
			wire.BadRequest("The mode All Versions and Deletes must be enabled: give the container a changeFeedPolicy with a retentionDuration in minutes.")
	}
	start, err = readFeedStart(r)
	switch {
	case err != nil:
		return start, err
	case start.since != 0 && start.after == 0:
		return start,
			wire.BadRequest("Start from a point in time is not supported with 'All Versions and Deletes' mode. Start from now, or from a continuation.")
	case !start.fromNow && start.after == 0:
		return start,
			wire.BadRequest("Start from beginning is not supported with 'All Versions and Deletes' mode. You must read the change feed from within the retention period.")
	}
	return start, nil
}

// allVersions returns every retained change, including deletes, from now on or from a continuation ("Change feed modes
// in Azure Cosmos DB"). The continuation is a position in the container's log.
func (f *documentFeed) allVersions(start feedStart) *wire.Error {
	lsn, floor := f.Container.Sequence.Floor(), f.Container.Log.Floor()
	switch after := changelog.Position(start.after); {
	case start.fromNow:
		f.replyVersions(floor, lsn)
		return nil
	case after > f.Container.Log.Tip():
		return wire.InvalidContinuation()
	}
	return f.versions(changelog.Position(start.after), floor, lsn)
}

// versions fills the page with the changes after a position, up to another.
func (f *documentFeed) versions(after, floor changelog.Position, lsn uint64) *wire.Error {
	last, lsnOfLast := after, uint64(0)
	readErr := f.Account.Store.View(func(r *store.Reader) error {
		if err := f.checkRetained(after); err != nil { // again: the clock may have advanced before the snapshot was taken
			return err
		}
		return f.Container.Log.Read(r, after+1, floor,
			false, func(p changelog.Position, record changelog.Record) (bool, error) {
				v, err := engine.ReadVersion(record)
				if err != nil {
					return false, err
				}
				held := f.span.Contains(v.Item.EPK) && f.shared.ofVersion(v)
				// the changes of one transaction share a page
				if f.more = v.LSN != lsnOfLast && f.endsBefore(held); f.more {
					return false, nil
				}
				last, lsnOfLast = p, v.LSN
				if f.count(v.Item); held {
					f.add(func(dst []byte) []byte { return appendVersion(f.Container, dst, v) })
				}
				return true, nil
			})
	})
	if err := f.finish(readErr); err != nil {
		return err
	}
	if !f.more {
		last = max(floor, after)
	}
	f.replyVersions(last, lsn)
	return nil
}

// replyVersions replies with a page of versions.
func (f *documentFeed) replyVersions(at changelog.Position, lsn uint64) {
	f.Container.Log.SaveAhead(f.Ctx, at)
	f.replyChanges(feedStart{after: uint64(at)}, lsn)
}

// checkRetained rejects a continuation that is older than the retention of versions.
func (f *documentFeed) checkRetained(after changelog.Position) error {
	if after < changelog.At(f.Account.Now().Add(-f.def.Retention)) {
		return wire.BadRequest("The continuation is older than %v, the retention of the container's versions.",
			f.def.Retention)
	}
	return nil
}

// appendVersion appends a version in its envelope.
func appendVersion(c *engine.Container, dst []byte, v *engine.Version) []byte {
	dst = append(dst, '{')
	operation := "create"
	switch v.Kind {
	case changelog.Modify:
		operation = "replace"
	case changelog.Remove:
		operation = "delete"
	}
	if v.Kind == changelog.Remove { // azure-cosmos's tests expect it to be present and empty
		dst = append(dst, `"current":{},`...)
	} else {
		dst = append(c.AppendJSON(append(dst, `"current":`...), v.Item), ',')
	}
	dst = append(append(append(dst, `"metadata":{"operationType":"`...), operation...), `","lsn":`...)
	dst = strconv.AppendUint(dst, v.LSN, 10)
	dst = engine.AppendInt(append(dst, `,"crts":`...), v.Timestamp)
	if v.PreviousLSN != 0 {
		dst = strconv.AppendUint(append(dst, `,"previousImageLSN":`...), v.PreviousLSN, 10)
	}
	if v.Kind == changelog.Remove {
		if v.Expired {
			dst = append(dst, `,"timeToLiveExpired":true`...)
		}
		dst = doc.AppendString(append(dst, `,"id":`...), v.Item.ID)
		dst = append(append(dst, `,"partitionKey":`...), v.Item.Body...)
	}
	return append(dst, "}}"...)
}
