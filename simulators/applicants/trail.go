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

// trail is the audit trail of one case.
type trail struct {
	entries []object
	lines   []string
}

// readTrails compares the audit trail of all days with what was done: each case's entries, once and in order.
func (s *simulation) readTrails(ctx context.Context, last time.Duration) error {
	trails := map[string]*trail{}
	for at := s.clock.Start(); at.Before(s.clock.At(last).Add(24 * time.Hour)); at = at.Add(24 * time.Hour) {
		query := url.Values{"date": {at.Format("2006-01-02")}, "limit": {"100"}}
		entries, err := readAll(ctx, s.env.Admin(), "/verification/audit", query, "entries")
		if err != nil {
			return err
		}
		slices.Reverse(entries) // newest first
		for _, e := range entries {
			s.addTrailEntry(trails, e)
		}
	}
	for _, a := range s.applicants {
		for _, app := range a.cases {
			if app.id != "" {
				s.compareTrail(app, trails[app.id])
			}
		}
	}
	return nil
}

// addTrailEntry adds an entry to the trail of its case. It skips reads, new addresses, and refused and repeated
// requests, which change nothing, and the removal of documents, which one job or two may do.
func (s *simulation) addTrailEntry(trails map[string]*trail, e object) {
	if text, err := json.Marshal(e); err != nil || s.hasContactData(string(text)) {
		s.ledger.ReportFault(Exposed, "the audit trail has contact data: entry %v", e["eventId"])
	}
	id, action := field("verificationId")(e), field("action")(e)
	ignored := strings.HasSuffix(action, ".read") || strings.HasSuffix(action, ".list") ||
		action == "document.address" || action == "documents.remove"
	if id == "" || field("outcome")(e) != "done" || ignored {
		return
	}
	if trails[id] == nil {
		trails[id] = &trail{}
	}
	trails[id].entries = append(trails[id].entries, e)
}

func (s *simulation) compareTrail(app *application, trail *trail) {
	if trail == nil {
		s.ledger.ReportFault(sim.Lost, "the audit trail has no entries for case %s", app.id)
		return
	}
	trail.format()
	if !slices.Equal(trail.lines, app.trail) {
		s.ledger.ReportFault(sim.Changed, "the audit trail of case %s is %q, want %q", app.id, trail.lines, app.trail)
		return
	}
	s.ledger.CountMatch(trails)
	for range trail.lines {
		s.ledger.CountMatch(entries)
	}
}

// format converts the entries to text. Entries of the same millisecond, which is long in simulated time, are ordered by
// their chain of statuses.
func (l *trail) format() {
	status := ""
	for rest := l.entries; len(rest) > 0; {
		n := 0
		for i, e := range rest {
			if e["at"] == rest[0]["at"] && field("from")(e) == status {
				n = i
				break
			}
		}
		if to := field("to")(rest[n]); to != "" {
			status = to
		}
		l.add(rest[n])
		rest = slices.Delete(slices.Clone(rest), n, n+1)
	}
}

// add adds an entry's text. Confirming a file twice counts once.
func (l *trail) add(e object) {
	line := field("action")(e)
	for _, part := range []struct{ name, before string }{{"documentId", " "}, {"from", " "}, {"to", " -> "}} {
		if text := field(part.name)(e); text != "" {
			line += part.before + text
		}
	}
	if strings.HasPrefix(line, "document.uploaded ") && slices.Contains(l.lines, line) {
		return
	}
	l.lines = append(l.lines, line)
}
