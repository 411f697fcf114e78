package query

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// The change feed returns the items of a part of the container in the order of their latest changes. Its continuation
// is the ETag of the response: in quotes, the LSN up to which the feed was read, as in the service. Until a feed from a
// point in time has returned an item, the LSN is followed by a semicolon and that time: some clients do not repeat it.

// changesInput is the input of a page of the change feed.
type changesInput struct {
	feedInput
	start       feedStart
	allVersions bool // every retained change; otherwise the latest version of each item
	envelope    bool // the client wants the metadata of each change
}

// readChanges reads a request for the change feed. The mode is in the header A-IM, the start in If-None-Match or
// If-Modified-Since.
func readChanges(r *operation.Request, container *engine.Container) (in changesInput, err *wire.Error) {
	in.envelope = r.Header("X-Ms-Cosmos-Changefeed-Wire-Format-Version") != ""
	switch mode := strings.ToLower(r.Header("A-Im")); mode {
	case "incremental feed":
		in.start, err = readFeedStart(r)
	case "full-fidelity feed":
		in.allVersions = true
		in.start, err = readVersionsStart(r, container)
	default:
		err = wire.InvalidInput("The header A-IM must be Incremental Feed or Full-Fidelity Feed.")
	}
	if err != nil {
		return in, err
	}
	in.feedInput, err = readFeed(r, container)
	return in, err
}

func runChanges(r *operation.Run, in changesInput) *wire.Error {
	f, err := newDocumentFeed(r, in.feedInput)
	switch {
	case err != nil:
		return err
	case in.allVersions:
		return f.allVersions(in.start)
	}
	return f.latestVersions(in.start, in.envelope)
}

// feedStart is the position at which a change feed starts.
type feedStart struct {
	after   uint64 // start after this number
	fromNow bool
	since   int64 // in Unix seconds: only later changes; 0: all
}

// readFeedStart reads the headers. Without any, the feed starts at the beginning. The SDKs for Java and Python repeat
// the start time on each page.
func readFeedStart(r *operation.Request) (s feedStart, err *wire.Error) {
	token := r.Header("If-None-Match")
	if token == "" {
		token = r.Header("X-Ms-Continuation")
	}
	switch {
	case token == "*":
		return feedStart{fromNow: true}, nil
	case token != "":
		var ok bool
		if s, ok = parseFeedETag(token); !ok {
			return s, wire.InvalidContinuation()
		}
	}
	if text := r.Header("If-Modified-Since"); text != "" {
		at, parseErr := wire.ParseDate(text)
		if parseErr != nil {
			return s, wire.InvalidInput("The header If-Modified-Since must be a date in RFC 1123 form, not %q.", text)
		}
		s.since = max(at.Unix(), 1)
	}
	return s, nil
}

// parseFeedETag parses the ETag of a page.
func parseFeedETag(text string) (s feedStart, ok bool) {
	text, since, hasSince := strings.Cut(strings.Trim(strings.TrimPrefix(text, "W/"), `"`), ";")
	var err, sinceErr error
	s.after, err = strconv.ParseUint(text, 10, 64)
	if hasSince {
		s.since, sinceErr = strconv.ParseInt(since, 10, 64)
	}
	return s, err == nil && sinceErr == nil
}

// etag returns the ETag of a page after which the feed continues at s.
func (s feedStart) etag() string {
	text := strconv.FormatUint(s.after, 10)
	if s.since != 0 {
		text += ";" + strconv.FormatInt(s.since, 10)
	}
	return strconv.Quote(text)
}

// latestVersions returns the latest version of each existing item.
func (f *documentFeed) latestVersions(start feedStart, envelope bool) *wire.Error {
	last, floor := f.Container.Sequence.Last(), min(f.ReplicaLSN(), f.Container.Sequence.Floor())
	switch {
	case start.after > last:
		return wire.InvalidContinuation()
	case start.fromNow:
		f.replyChanges(feedStart{after: floor}, floor)
		return nil
	}
	at := start.after
	readErr := f.View(func(v *lag.View) error {
		return f.Container.Changes(v, start.after, floor, func(i *engine.Item) bool {
			held := f.holds(i) && (i.Timestamp > start.since || start.since == 0)
			// The changes of one transaction share a page, whatever their size, so a full page ends before the next one,
			// even if its first item is not held.
			if f.more = i.LSN != at && f.endsBefore(true); f.more {
				return false
			}
			at = i.LSN
			if f.count(i); held {
				f.add(func(dst []byte) []byte { return f.appendLatest(dst, i, envelope) })
			}
			return true
		})
	})
	if err := f.finish(readErr); err != nil {
		return err
	}
	next := feedStart{after: at}
	switch {
	case f.Redeliver:
		next = start
	case !f.more:
		next.after = max(floor, start.after)
	case f.n == 0:
		next.since = start.since
	}
	f.replyChanges(next, floor)
	return nil
}

// replyChanges replies with a page of changes, or 304 if nothing is new. The next page continues at next.
func (f *documentFeed) replyChanges(next feedStart, lsn uint64) {
	f.reply(lsn)
	if f.n == 0 && !f.more {
		f.ReplyNothing(http.StatusNotModified)
	}
	f.Out.ETag = next.etag()
}

// appendLatest appends an item as the feed returns it: with its LSN, or in an envelope.
func (f *documentFeed) appendLatest(dst []byte, i *engine.Item, envelope bool) []byte {
	if !envelope {
		dst = f.Container.AppendJSON(dst, i)
		dst = append(dst[:len(dst)-1], `,"_lsn":`...)
		return append(strconv.AppendUint(dst, i.LSN, 10), '}')
	}
	dst = f.Container.AppendJSON(append(dst, `{"current":`...), i)
	dst = strconv.AppendUint(append(dst, `,"metadata":{"lsn":`...), i.LSN, 10)
	return append(engine.AppendInt(append(dst, `,"crts":`...), i.Timestamp), "}}"...)
}
