package cosmos

import (
	"encoding/binary"
	"net/http"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// The change feed gives the items of a part of the container in the order of their latest changes. Its continuation is the
// answer's etag: the number up to which it was read, in quotes, as the service has it.

// changeFeed answers a page of it: the mode is in the header A-IM, the beginning in If-None-Match or If-Modified-Since.
func (c *call) changeFeed() *Error {
	switch mode := strings.ToLower(c.header("A-Im")); mode {
	case "incremental feed":
		return c.latestVersions()
	case "full-fidelity feed":
		return c.allVersions()
	}
	return invalidInput("The header A-IM must be Incremental Feed or Full-Fidelity Feed.")
}

// feedStart is where the request wants a change feed to begin.
type feedStart struct {
	behind uint64 // a number; with now, the last there is
	now    bool
	since  int64 // in seconds since 1970: only later changes; 0: all
}

// readFeedStart reads the headers. Without any the feed begins at the beginning.
func (c *call) readFeedStart() (s feedStart, err *Error) {
	token := c.header("If-None-Match")
	if token == "" {
		token = c.header("X-Ms-Continuation")
	}
	switch {
	case token == "*":
		return feedStart{now: true}, nil
	case token != "":
		text := strings.Trim(strings.TrimPrefix(token, "W/"), `"`)
		n, problem := strconv.ParseUint(text, 10, 64)
		if problem != nil {
			return s, invalidContinuation()
		}
		return feedStart{behind: n}, nil
	}
	if text := c.header("If-Modified-Since"); text != "" {
		at, problem := parseDate(text)
		if problem != nil {
			return s, invalidInput("The header If-Modified-Since must be a date in RFC 1123 form, not %q.", text)
		}
		s.since = max(at.Unix(), 1)
	}
	return s, nil
}

// latestVersions gives the latest version of each item that is there.
func (c *call) latestVersions() *Error {
	start, err := c.readFeedStart()
	if err != nil {
		return err
	}
	f, err := c.newDocumentFeed()
	if err != nil {
		return err
	}
	last, floor := c.container.sequence.last(), min(c.replicaLSN(), c.container.sequence.floor())
	switch {
	case start.behind > last:
		return invalidContinuation()
	case start.now:
		f.replyChanges(floor, floor)
		return nil
	}
	at := floor
	problem := c.view(func(v *lag.View) error {
		return c.container.changes(v, start.behind, floor, func(i *item) bool {
			if !f.holds(i) || i.ts <= start.since && start.since != 0 {
				return true
			}
			if f.full() && i.lsn != at { // what one transaction changed is in one page, however much it is
				return false
			}
			f.add(func(dst []byte) []byte { return f.appendLatest(dst, i) })
			at = i.lsn
			return true
		})
	})
	if problem != nil {
		return c.internal(problem)
	}
	if !f.full() {
		at = max(floor, start.behind)
	}
	f.replyChanges(at, floor)
	return nil
}

// replyChanges answers a page of changes, which goes on behind at; 304 where there are none.
func (f *documentFeed) replyChanges(at, lsn uint64) {
	f.reply(lsn)
	if f.n == 0 {
		f.replyNothing(http.StatusNotModified)
	}
	f.out.etag = strconv.Quote(strconv.FormatUint(at, 10))
}

// wireFormat says that the client wants what is known of a change apart from the item.
func (c *call) wireFormat() bool { return c.header("X-Ms-Cosmos-Changefeed-Wire-Format-Version") != "" }

// appendLatest writes an item as the feed has it: with its number, or in an envelope.
func (f *documentFeed) appendLatest(dst []byte, i *item) []byte {
	if !f.wireFormat() {
		dst = f.container.appendJSON(dst, i)
		dst = append(dst[:len(dst)-1], `,"_lsn":`...)
		return append(strconv.AppendUint(dst, i.lsn, 10), '}')
	}
	dst = f.container.appendJSON(append(dst, `{"current":`...), i)
	dst = strconv.AppendUint(append(dst, `,"metadata":{"lsn":`...), i.lsn, 10)
	return append(appendInt(append(dst, `,"crts":`...), i.ts), "}}"...)
}

// changes visits the items whose latest changes have numbers behind one, up to another, in their order, until visit returns
// false.
func (c *container) changes(v *lag.View, behind, upTo uint64, visit func(*item) bool) error {
	it := v.Iter(c.feedKey(behind+1), c.feedKey(upTo+1), false)
	defer it.Close()
	for it.Next() {
		rid := binary.BigEndian.Uint64(it.Value())
		value, ok, err := v.Get(c.itemKey(rid))
		if err != nil || !ok {
			return errItem
		}
		i, err := readItem(rid, value)
		if err != nil {
			return err
		}
		if !visit(i) {
			return nil
		}
	}
	return it.Close()
}
