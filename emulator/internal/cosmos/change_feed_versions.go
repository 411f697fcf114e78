package cosmos

import (
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// allVersions gives every change that is still kept, deletions too: from now on, or from a continuation ("Change feed modes in
// Azure Cosmos DB"). That is a position in the container's log.
func (c *call) allVersions() *Error {
	def := c.container.definition.Load()
	if def.retention == 0 {
		return badRequest("The mode All Versions and Deletes must be enabled: give the container a changeFeedPolicy with a retentionDuration in minutes.")
	}
	start, err := c.readFeedStart()
	switch {
	case err != nil:
		return err
	case start.since != 0:
		return badRequest("Start from a point in time is not supported with 'All Versions and Deletes' mode. Start from now, or from a continuation.")
	case !start.now && start.behind == 0:
		return badRequest("Start from beginning is not supported with 'All Versions and Deletes' mode. You must read the change feed from within the retention period.")
	}
	f, err := c.newDocumentFeed()
	if err != nil {
		return err
	}
	lsn, floor := c.container.sequence.floor(), c.container.log.Floor()
	switch behind := changelog.Position(start.behind); {
	case start.now:
		f.replyChanges(uint64(floor), lsn)
		return nil
	case behind > c.container.log.Tip():
		return invalidContinuation()
	}
	return f.versions(changelog.Position(start.behind), floor, lsn)
}

// versions fills the page with what is behind a position, up to another.
func (f *documentFeed) versions(behind, floor changelog.Position, lsn uint64) *Error {
	at, more := floor, false
	last, lsnOfLast := behind, uint64(0)
	problem := f.account.store.View(func(r *store.Reader) error {
		if err := f.checkKept(behind); err != nil { // once more: the clock may have been advanced before the Reader
			return err
		}
		return f.container.log.Read(r, behind+1, floor, false, func(p changelog.Position, record changelog.Record) (bool, error) {
			v, err := readVersion(record)
			if err != nil {
				return false, err
			}
			if !f.span.Holds(v.item.epk) {
				return true, nil
			}
			if more = f.full() && v.lsn != lsnOfLast; more { // what one transaction changed is in one page
				return false, nil
			}
			f.add(func(dst []byte) []byte { return f.container.appendVersion(dst, v) })
			last, lsnOfLast = p, v.lsn
			return true, nil
		})
	})
	if problem != nil {
		return f.internal(problem)
	}
	if more {
		at = last
	}
	f.replyChanges(uint64(max(at, behind)), lsn)
	return nil
}

// checkKept refuses a continuation from before the time for which versions are kept.
func (f *documentFeed) checkKept(behind changelog.Position) error {
	if behind < changelog.At(f.account.now().Add(-f.def.retention)) {
		return badRequest("The continuation is from before the %v for which the container keeps versions.", f.def.retention)
	}
	return nil
}

// appendVersion writes a version in its envelope.
func (c *container) appendVersion(dst []byte, v *version) []byte {
	dst = append(dst, '{')
	operation := "create"
	switch v.kind {
	case changelog.Modify:
		operation = "replace"
	case changelog.Remove:
		operation = "delete"
	}
	if v.kind == changelog.Remove { // azure-cosmos's tests want it there, and empty
		dst = append(dst, `"current":{},`...)
	} else {
		dst = append(c.appendJSON(append(dst, `"current":`...), v.item), ',')
	}
	dst = append(append(append(dst, `"metadata":{"operationType":"`...), operation...), `","lsn":`...)
	dst = strconv.AppendUint(dst, v.lsn, 10)
	dst = appendInt(append(dst, `,"crts":`...), v.ts)
	if v.before != 0 {
		dst = strconv.AppendUint(append(dst, `,"previousImageLSN":`...), v.before, 10)
	}
	if v.kind == changelog.Remove {
		if v.expired {
			dst = append(dst, `,"timeToLiveExpired":true`...)
		}
		dst = doc.AppendString(append(dst, `,"id":`...), v.item.id)
		dst = append(append(dst, `,"partitionKey":`...), v.item.body...)
	}
	return append(dst, "}}"...)
}
