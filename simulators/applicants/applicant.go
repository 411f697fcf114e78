package applicants

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// thing is a JSON object of the API: a response, or the expected state.
type thing = map[string]any

// kind is the kind of an action.
type kind int

const (
	open kind = iota
	send
	confirm
	complete
	submit
)

// deed is an action of an applicant on one of their cases.
type deed struct {
	at   time.Duration
	kind kind
	of   *application
	file int
}

// application is a case as its applicant knows it.
type application struct {
	Application
	id    string
	sent  []string // ids of documents, in the order of files
	want  thing
	trail []string // the expected entries of the audit trail, in order
}

// applicant carries out a plan. It is a sim.Actor.
type applicant struct {
	plan   Plan
	office *office
	caller *sim.Caller
	sure   *sim.Caller // loses no response: for the reconciliation
	deeds  []deed
	cases  []*application
}

func newApplicant(o *office, plan Plan) *applicant {
	a := &applicant{plan: plan, office: o}
	for _, planned := range plan.Applications {
		of := &application{Application: planned}
		a.cases = append(a.cases, of)
		a.deeds = append(a.deeds, of.deeds()...)
	}
	return a
}

// deeds returns an applicant's actions on a case until they submit it or give up.
func (of *application) deeds() []deed {
	all := []deed{{kind: open}}
	for n := range of.Files {
		all = append(all, deed{kind: send, file: n}, deed{kind: confirm, file: n})
	}
	all = append(all, deed{kind: complete}, deed{kind: submit})
	switch of.Verdict {
	case AbandonedNew:
		all = all[:1]
	case AbandonedMid:
		all = all[:len(all)/2]
	case AbandonedEnd:
		all = all[:len(all)-1]
	}
	for i := range all {
		all[i].of, all[i].at = of, of.At+time.Duration(i)*step
	}
	return all
}

// Next returns the time of the next action.
func (a *applicant) Next() (time.Duration, bool) {
	if len(a.deeds) == 0 {
		return 0, false
	}
	return a.deeds[0].at, true
}

// Act performs the next action.
func (a *applicant) Act(ctx context.Context) error {
	d := a.deeds[0]
	a.deeds = a.deeds[1:]
	did := map[kind]func(context.Context, deed) error{open: a.open, send: a.send, confirm: a.confirm, complete: a.complete,
		submit: a.submit}
	if err := did[d.kind](ctx, d); err != nil {
		return fmt.Errorf("applicant %d, %v after the start: %w", a.plan.Number, d.at, err)
	}
	said := map[kind]string{open: opened, send: sent, confirm: confirmed, complete: completed, submit: submitted}[d.kind]
	a.office.ledger.Did(said)
	return nil
}

// open opens the case. Its Idempotency-Key makes it one case, however often the request is sent.
func (a *applicant) open(ctx context.Context, d deed) error {
	customer := thing{"email": a.plan.Email, "phone": a.plan.Phone, "externalId": a.plan.ExternalID,
		"redirectUrl": "https://client.example.com/done"}
	in := thing{"documentType": a.plan.DocumentType, "customerMetadata": customer}
	var made thing
	heard, err := a.caller.Call(ctx, sim.Call{
		Method: http.MethodPost, Path: "/verification/cases", Header: http.Header{"Idempotency-Key": {d.of.Key}},
		In: in, Out: &made,
	})
	if err != nil {
		return err
	}
	if heard.Status == http.StatusOK && heard.Repeats == 0 {
		return errors.New("an earlier simulation already opened this case: use another --seed")
	}
	if heard.Repeats > 0 {
		a.office.ledger.Did(repeated)
	}
	of := d.of
	of.id, _ = made["verificationId"].(string)
	of.want = thing{
		"verificationId": of.id, "status": "created", "documentType": a.plan.DocumentType, "customerMetadata": customer,
		"clientId": a.office.clients[a.plan.Client].id, "submittedAt": "", "completedAt": "",
	}
	if clock := a.office.clock; clock.Moves() {
		of.want["createdAt"], of.want["expiresAt"] = stamp(clock.Now()), stamp(clock.Now().Add(lifetime))
	}
	a.office.enter(of)
	of.trail = append(of.trail, "case.create -> created")
	return nil
}

// lifetime is the documented lifetime of a case.
const lifetime = 30 * 24 * time.Hour

// announced is the response to the announcement of a document: where to send its file.
type announced struct {
	Document thing
	Upload   struct {
		Method, URL string
		Headers     map[string]string
	}
}

// send announces a document and sends its file to the address in the response.
func (a *applicant) send(ctx context.Context, d deed) error {
	of, file := d.of, d.of.Files[d.file]
	out, err := a.announce(ctx, of, file)
	if err != nil {
		return err
	}
	id := field("documentId")(out.Document)
	of.sent = append(of.sent, id)
	of.trail = append(of.trail, fmt.Sprintf("document.add %s %v -> documents_uploading", id, of.want["status"]))
	of.want["status"] = "documents_uploading"
	header := http.Header{}
	for name, value := range out.Upload.Headers {
		header.Set(name, value)
	}
	put := *a.caller
	put.Credential = nil // the address is the credential
	heard, err := put.Call(ctx, sim.Call{Method: out.Upload.Method, Path: out.Upload.URL, Header: header,
		Body: file.Content})
	if heard.Repeats > 0 && (sim.Status(err) == http.StatusConflict || sim.Status(err) == http.StatusPreconditionFailed) {
		return nil // it has already arrived: a file is written once
	}
	return err
}

// announce announces a document once: if the response is lost, the applicant finds the document in the list and
// requests another address.
func (a *applicant) announce(ctx context.Context, of *application, file File) (announced, error) {
	sum := sha256.Sum256(file.Content)
	in := thing{"documentType": file.Side, "fileSize": len(file.Content), "mimeType": file.MimeType,
		"sha256": hex.EncodeToString(sum[:])}
	path := "/verification/cases/" + of.id + "/documents"
	return sim.Create(ctx, a.caller, sim.Call{Method: http.MethodPost, Path: path, In: in},
		func(ctx context.Context) (out announced, found bool, err error) {
			var list struct{ Documents []thing }
			if _, err := a.caller.Call(ctx, sim.Call{Method: http.MethodGet, Path: path, Out: &list}); err != nil {
				return out, false, err
			}
			for _, there := range list.Documents {
				if there["documentType"] == file.Side {
					_, err := a.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: path + "/" + field("documentId")(there) +
						"/upload", Out: &out})
					return out, true, err
				}
			}
			return out, false, nil
		})
}

func (a *applicant) confirm(ctx context.Context, d deed) error {
	id := d.of.sent[d.file]
	_, err := a.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/verification/cases/" + d.of.id + "/documents/" +
		id + "/uploaded"})
	d.of.trail = append(d.of.trail, "document.uploaded "+id)
	return err
}

func (a *applicant) complete(ctx context.Context, d deed) error {
	return a.moves(ctx, d.of, "complete", "documents_complete")
}

func (a *applicant) submit(ctx context.Context, d deed) error {
	if a.office.clock.Moves() {
		d.of.want["submittedAt"] = stamp(a.office.clock.Now())
	} else {
		delete(d.of.want, "submittedAt")
	}
	if err := a.moves(ctx, d.of, "submit", "submitted"); err != nil {
		return err
	}
	before := "submitted"
	for _, status := range reviewing(d.of.Verdict)[1:] { // the reviewers' transitions that will follow
		d.of.trail = append(d.of.trail, "case.transition "+before+" -> "+status)
		before = status
	}
	d.of.want["status"] = before
	delete(d.of.want, "completedAt")
	return nil
}

// moves makes a case's next transition. After a lost response, the repeat may report that the case has already moved.
func (a *applicant) moves(ctx context.Context, of *application, verb, to string) error {
	heard, err := a.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/verification/cases/" + of.id + "/" + verb})
	if err != nil && (heard.Repeats == 0 || sim.Status(err) != http.StatusConflict) {
		return err
	}
	of.trail = append(of.trail, fmt.Sprintf("case.%s %v -> %s", verb, of.want["status"], to))
	of.want["status"] = to
	return nil
}

// stamp formats a time as the API does.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
