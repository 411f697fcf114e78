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
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// Leaked is the fault of data that somebody without permission could read.
const Leaked = "exposed to others or stored in clear text"

// readBack compares every case with its plan while all of them still exist.
func (o *office) readBack(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(venue.Concurrency)
	for _, a := range o.applicants {
		g.Go(func() error { return a.readBack(ctx) })
	}
	for n := range o.clients {
		g.Go(func() error { return o.readClient(ctx, n) })
	}
	return g.Wait()
}

func (o *office) of(client int) *sim.Caller {
	c := o.venue.Observer()
	c.Credential = venue.Header("X-API-Key", o.clients[client].key)
	return c
}

// readBack reads an applicant's cases with their documents, and tries the same with another client's key.
func (a *applicant) readBack(ctx context.Context) error {
	l := a.office.ledger
	for _, of := range a.cases {
		if of.id == "" {
			continue // not opened before the simulation was stopped
		}
		call := sim.Call{Method: http.MethodGet, Path: "/verification/cases/" + of.id}
		var got thing
		call.Out = &got
		if _, err := a.sure.Call(ctx, call); err != nil {
			return fmt.Errorf("reading back a case of applicant %d: %w", a.plan.Number, err)
		}
		sim.Compare(l, "case", cases, map[string]thing{of.id: of.want}, []thing{got}, field("verificationId"))
		stranger := a.office.of((a.plan.Client + 1) % len(a.office.clients))
		call.Out = nil
		if _, err := stranger.Call(ctx, call); sim.Status(err) != http.StatusNotFound && len(a.office.clients) > 1 {
			l.Fault(Leaked, "case %s: another client's read returned %v", of.id, err)
		}
		call.Path += "/documents"
		var list struct{ Documents []thing }
		call.Out = &list
		if _, err := a.sure.Call(ctx, call); err != nil {
			return err
		}
		sim.Compare(l, "document", documents, of.documents(), list.Documents, field("documentId"))
	}
	return nil
}

// documents returns the documents that a case must have.
func (of *application) documents() map[string]thing {
	want := map[string]thing{}
	for n, id := range of.sent {
		file, status := of.Files[n], ""
		if slices.Contains(of.trail, "document.uploaded "+id) {
			status = "uploaded"
		}
		want[id] = thing{"documentType": file.Side, "mimeType": file.MimeType, "fileSize": len(file.Content),
			"status": status}
	}
	return want
}

// readClient compares the list of a client's cases with those that were opened through it: no case exists twice,
// whatever was sent twice.
func (o *office) readClient(ctx context.Context, client int) error {
	want := map[string]thing{}
	for _, a := range o.applicants {
		for _, of := range a.cases {
			if a.plan.Client == client && of.id != "" {
				want[of.id] = thing{"status": of.want["status"], "documentType": of.want["documentType"]}
			}
		}
	}
	got, err := all(ctx, o.of(client), "/verification/cases", url.Values{"limit": {"17"}}, "cases")
	if err != nil {
		return err
	}
	sim.Compare(o.ledger, "case in a client's list", listed, want, got, field("verificationId"))
	for _, c := range got {
		if text, err := json.Marshal(c); err != nil || o.inClear(string(text)) {
			o.ledger.Fault(Leaked, "the list of a client shows contact data of case %v", c["verificationId"])
		}
	}
	return nil
}

// inClear reports whether a text contains contact data of an applicant.
func (o *office) inClear(text string) bool {
	return slices.ContainsFunc(o.applicants, func(a *applicant) bool {
		return strings.Contains(text, a.plan.Email) || strings.Contains(text, a.plan.Phone)
	})
}

func field(name string) func(thing) string {
	return func(t thing) string {
		text, _ := t[name].(string)
		return text
	}
}

// gone checks that no case is left that its client could read.
func (o *office) gone(ctx context.Context) error {
	for _, a := range o.applicants {
		for _, of := range a.cases {
			if of.id == "" {
				continue
			}
			_, err := o.of(a.plan.Client).Call(ctx, sim.Call{Method: http.MethodGet, Path: "/verification/cases/" + of.id})
			if sim.Status(err) != http.StatusNotFound {
				o.ledger.Fault(sim.Foreign, "case %s has ended, but reading it returned %v", of.id, err)
				continue
			}
			o.ledger.Found(ended)
		}
	}
	return nil
}
