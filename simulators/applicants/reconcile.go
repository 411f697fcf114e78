package applicants

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// Exposed is the fault of data that could be read without permission.
const Exposed = "exposed to others or stored in clear text"

// readBack compares every case with its plan while all of them still exist.
func (s *simulation) readBack(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(simenv.Concurrency)
	for _, a := range s.applicants {
		g.Go(func() error { return a.readBack(ctx) })
	}
	for n := range s.clients {
		if s.cfg.simulates(n) {
			g.Go(func() error { return s.readClient(ctx, n) })
		}
	}
	return g.Wait()
}

func (s *simulation) callerOf(client int) *sim.Caller {
	c := s.env.Anonymous()
	c.Credential = simenv.HeaderCredential("X-API-Key", s.clients[client].key)
	return c
}

// readBack reads an applicant's cases with their documents, and tries the same with another client's key.
func (a *applicant) readBack(ctx context.Context) error {
	l := a.sim.ledger
	for _, app := range a.cases {
		if app.id == "" {
			continue // not opened before the simulation was stopped
		}
		call := sim.Call{Method: http.MethodGet, Path: "/verification/cases/" + app.id}
		var got object
		call.Out = &got
		if _, err := a.reliable.Call(ctx, call); err != nil {
			return fmt.Errorf("reading back a case of applicant %d: %w", a.plan.Number, err)
		}
		sim.Compare(l, "case", cases, map[string]object{app.id: app.want}, []object{got}, field("verificationId"))
		stranger := a.sim.callerOf((a.plan.Client + 1) % len(a.sim.clients))
		call.Out = nil
		if _, err := stranger.Call(ctx, call); sim.Status(err) != http.StatusNotFound && len(a.sim.clients) > 1 {
			l.ReportFault(Exposed, "case %s: another client's read returned %v", app.id, err)
		}
		call.Path += "/documents"
		var list struct{ Documents []object }
		call.Out = &list
		if _, err := a.reliable.Call(ctx, call); err != nil {
			return err
		}
		sim.Compare(l, "document", documents, app.documents(), list.Documents, field("documentId"))
	}
	return nil
}

// documents returns the documents that a case must have.
func (a *application) documents() map[string]object {
	want := map[string]object{}
	for n, id := range a.documentIDs {
		file, status := a.Files[n], ""
		if slices.Contains(a.trail, "document.uploaded "+id) {
			status = "uploaded"
		}
		want[id] = object{"documentType": file.Side, "mimeType": file.MimeType, "fileSize": len(file.Content),
			"status": status}
	}
	return want
}

// readClient compares the list of a client's cases with those that were opened through it: no case exists twice,
// whatever was sent twice.
func (s *simulation) readClient(ctx context.Context, client int) error {
	want := map[string]object{}
	for _, a := range s.applicants {
		for _, app := range a.cases {
			if a.plan.Client == client && app.id != "" {
				want[app.id] = object{"status": app.want["status"], "documentType": app.want["documentType"]}
			}
		}
	}
	got, err := readAll(ctx, s.callerOf(client), "/verification/cases", url.Values{"limit": {"17"}}, "cases")
	if err != nil {
		return err
	}
	sim.Compare(s.ledger, "case in a client's list", clientLists, want, got, field("verificationId"))
	for _, c := range got {
		if text, err := json.Marshal(c); err != nil || s.hasContactData(string(text)) {
			s.ledger.ReportFault(Exposed, "the list of a client shows contact data of case %v", c["verificationId"])
		}
	}
	return nil
}

// hasContactData reports whether a text contains contact data of an applicant.
func (s *simulation) hasContactData(text string) bool {
	return slices.ContainsFunc(s.applicants, func(a *applicant) bool {
		return strings.Contains(text, a.plan.Email) || strings.Contains(text, a.plan.Phone)
	})
}

func field(name string) func(object) string {
	return func(t object) string {
		text, _ := t[name].(string)
		return text
	}
}

// checkGone checks that no case is left that its client could read.
func (s *simulation) checkGone(ctx context.Context) error {
	for _, a := range s.applicants {
		for _, app := range a.cases {
			if app.id == "" {
				continue
			}
			_, err := s.callerOf(a.plan.Client).Call(ctx, sim.Call{Method: http.MethodGet,
				Path: "/verification/cases/" + app.id})
			if sim.Status(err) != http.StatusNotFound {
				s.ledger.ReportFault(sim.Unexpected, "case %s has ended, but reading it returned %v", app.id, err)
				continue
			}
			s.ledger.CountMatch(casesRemoved)
		}
	}
	return nil
}
