package applicants

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// life is what the audit trail records about one case.
type life struct {
	entries []thing
	told    []string
}

// readTrail compares the audit trail of all days with what was done: each case's life, once and in order.
func (o *office) readTrail(ctx context.Context, last time.Duration) error {
	lives := map[string]*life{}
	for at := o.clock.Start(); at.Before(o.clock.At(last).Add(24 * time.Hour)); at = at.Add(24 * time.Hour) {
		query := url.Values{"date": {at.Format("2006-01-02")}, "limit": {"100"}}
		entries, err := all(ctx, o.venue.Admin(), "/verification/audit", query, "entries")
		if err != nil {
			return err
		}
		slices.Reverse(entries) // newest first
		for _, e := range entries {
			o.enterTrail(lives, e)
		}
	}
	for _, a := range o.applicants {
		for _, of := range a.cases {
			if of.id != "" {
				o.compareTrail(of, lives[of.id])
			}
		}
	}
	return nil
}

// enterTrail adds an entry to the life of its case. It skips reads, new addresses, and refused and repeated requests,
// which change nothing, and the removal of documents, which one job or two may do.
func (o *office) enterTrail(lives map[string]*life, e thing) {
	if text, err := json.Marshal(e); err != nil || o.inClear(string(text)) {
		o.ledger.Fault(Leaked, "the audit trail has contact data: entry %v", e["eventId"])
	}
	id, action := field("verificationId")(e), field("action")(e)
	tellsNothing := strings.HasSuffix(action, ".read") || strings.HasSuffix(action, ".list") ||
		action == "document.address" || action == "documents.remove"
	if id == "" || field("outcome")(e) != "done" || tellsNothing {
		return
	}
	if lives[id] == nil {
		lives[id] = &life{}
	}
	lives[id].entries = append(lives[id].entries, e)
}

func (o *office) compareTrail(of *application, l *life) {
	if l == nil {
		o.ledger.Fault(sim.Lost, "the audit trail has no entries for case %s", of.id)
		return
	}
	l.tell()
	if !slices.Equal(l.told, of.trail) {
		o.ledger.Fault(sim.Changed, "the audit trail of case %s is %q, want %q", of.id, l.told, of.trail)
		return
	}
	o.ledger.Found(trails)
	for range l.told {
		o.ledger.Found(entries)
	}
}

// tell converts the entries to text. Entries of the same millisecond, which is long in simulated time, are ordered by
// their chain of statuses.
func (l *life) tell() {
	status := ""
	for left := l.entries; len(left) > 0; {
		n := 0
		for i, e := range left {
			if e["at"] == left[0]["at"] && field("from")(e) == status {
				n = i
				break
			}
		}
		if to := field("to")(left[n]); to != "" {
			status = to
		}
		l.add(left[n])
		left = slices.Delete(slices.Clone(left), n, n+1)
	}
}

// add adds an entry's text. Confirming a file twice counts once.
func (l *life) add(e thing) {
	line := field("action")(e)
	for _, part := range []struct{ name, before string }{{"documentId", " "}, {"from", " "}, {"to", " -> "}} {
		if text := field(part.name)(e); text != "" {
			line += part.before + text
		}
	}
	if strings.HasPrefix(line, "document.uploaded ") && slices.Contains(l.told, line) {
		return
	}
	l.told = append(l.told, line)
}
