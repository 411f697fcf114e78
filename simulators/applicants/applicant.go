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

// object is a JSON object of the API: a response, or the expected state.
type object = map[string]any

// kind is the kind of an action.
type kind int

const (
	open kind = iota
	send
	confirm
	complete
	submit
)

// action is an action of an applicant on one of their cases.
type action struct {
	at          time.Duration
	kind        kind
	application *application
	file        int
}

// application is a case as its applicant knows it.
type application struct {
	Application
	id          string
	documentIDs []string // ids of documents, in the order of files
	want        object
	trail       []string // the expected entries of the audit trail, in order
}

// applicant carries out a plan. It is a sim.Actor.
type applicant struct {
	plan     Plan
	sim      *simulation
	caller   *sim.Caller
	reliable *sim.Caller // loses no response: for the reconciliation
	actions  []action
	cases    []*application
}

func newApplicant(s *simulation, plan Plan) *applicant {
	a := &applicant{plan: plan, sim: s}
	for _, planned := range plan.Applications {
		app := &application{Application: planned}
		a.cases = append(a.cases, app)
		a.actions = append(a.actions, app.actions()...)
	}
	return a
}

// actions returns an applicant's actions on a case until they submit it or give up.
func (a *application) actions() []action {
	all := []action{{kind: open}}
	for n := range a.Files {
		all = append(all, action{kind: send, file: n}, action{kind: confirm, file: n})
	}
	all = append(all, action{kind: complete}, action{kind: submit})
	switch a.Verdict {
	case AbandonedNew:
		all = all[:1]
	case AbandonedMid:
		all = all[:len(all)/2]
	case AbandonedEnd:
		all = all[:len(all)-1]
	}
	for i := range all {
		all[i].application, all[i].at = a, a.At+time.Duration(i)*step
	}
	return all
}

// Next returns the time of the next action.
func (a *applicant) Next() (time.Duration, bool) {
	if len(a.actions) == 0 {
		return 0, false
	}
	return a.actions[0].at, true
}

// Act performs the next action.
func (a *applicant) Act(ctx context.Context) error {
	d := a.actions[0]
	a.actions = a.actions[1:]
	perform := map[kind]func(context.Context, action) error{open: a.open, send: a.send, confirm: a.confirm,
		complete: a.complete,
		submit:   a.submit}
	if err := perform[d.kind](ctx, d); err != nil {
		return fmt.Errorf("applicant %d, %v after the start: %w", a.plan.Number, d.at, err)
	}
	label := map[kind]string{open: casesOpened, send: documentsSent, confirm: documentsConfirmed, complete: casesCompleted,
		submit: casesSubmitted}[d.kind]
	a.sim.ledger.CountAction(label)
	return nil
}

// open opens the case. Its Idempotency-Key makes it one case, however often the request is sent.
func (a *applicant) open(ctx context.Context, d action) error {
	customer := object{"email": a.plan.Email, "phone": a.plan.Phone, "externalId": a.plan.ExternalID,
		"redirectUrl": "https://client.example.com/done"}
	in := object{"documentType": a.plan.DocumentType, "customerMetadata": customer}
	var created object
	outcome, err := a.caller.Call(ctx, sim.Call{
		Method: http.MethodPost, Path: "/verification/cases", Header: http.Header{"Idempotency-Key": {d.application.Key}},
		In: in, Out: &created,
	})
	if err != nil {
		return err
	}
	if outcome.Status == http.StatusOK && outcome.Retries == 0 {
		return errors.New("an earlier simulation already opened this case: use another --seed")
	}
	if outcome.Retries > 0 {
		a.sim.ledger.CountAction(casesRepeated)
	}
	app := d.application
	app.id, _ = created["verificationId"].(string)
	app.want = object{
		"verificationId": app.id, "status": "created", "documentType": a.plan.DocumentType, "customerMetadata": customer,
		"clientId": a.sim.clients[a.plan.Client].id, "submittedAt": "", "completedAt": "",
	}
	if clock := a.sim.clock; clock.ControlsBackend() {
		app.want["createdAt"], app.want["expiresAt"] = formatTime(clock.Now()), formatTime(clock.Now().Add(lifetime))
	}
	a.sim.recordVerdict(app)
	app.trail = append(app.trail, "case.create -> created")
	return nil
}

// lifetime is the documented lifetime of a case.
const lifetime = 30 * 24 * time.Hour

// announcement is the response to the announcement of a document: where to send its file.
type announcement struct {
	Document object
	Upload   struct {
		Method, URL string
		Headers     map[string]string
	}
}

// send announces a document and sends its file to the address in the response.
func (a *applicant) send(ctx context.Context, d action) error {
	app, file := d.application, d.application.Files[d.file]
	out, err := a.announce(ctx, app, file)
	if err != nil {
		return err
	}
	id := field("documentId")(out.Document)
	app.documentIDs = append(app.documentIDs, id)
	app.trail = append(app.trail, fmt.Sprintf("document.add %s %v -> documents_uploading", id, app.want["status"]))
	app.want["status"] = "documents_uploading"
	header := http.Header{}
	for name, value := range out.Upload.Headers {
		header.Set(name, value)
	}
	put := *a.caller
	put.Credential = nil // the address is the credential
	outcome, err := put.Call(ctx, sim.Call{Method: out.Upload.Method, Path: out.Upload.URL, Header: header,
		Body: file.Content})
	if outcome.Retries > 0 && (sim.Status(err) == http.StatusConflict ||
		sim.Status(err) == http.StatusPreconditionFailed) {
		return nil // it has already arrived: a file is written once
	}
	return err
}

// announce announces a document once: if the response is lost, the applicant finds the document in the list and
// requests another address.
func (a *applicant) announce(ctx context.Context, app *application, file File) (announcement, error) {
	sum := sha256.Sum256(file.Content)
	in := object{"documentType": file.Side, "fileSize": len(file.Content), "mimeType": file.MimeType,
		"sha256": hex.EncodeToString(sum[:])}
	path := "/verification/cases/" + app.id + "/documents"
	return sim.Create(ctx, a.caller, sim.Call{Method: http.MethodPost, Path: path, In: in},
		func(ctx context.Context) (out announcement, found bool, err error) {
			var list struct{ Documents []object }
			if _, err := a.caller.Call(ctx, sim.Call{Method: http.MethodGet, Path: path, Out: &list}); err != nil {
				return out, false, err
			}
			for _, doc := range list.Documents {
				if doc["documentType"] == file.Side {
					_, err := a.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: path + "/" + field("documentId")(doc) +
						"/upload", Out: &out})
					return out, true, err
				}
			}
			return out, false, nil
		})
}

func (a *applicant) confirm(ctx context.Context, d action) error {
	id := d.application.documentIDs[d.file]
	_, err := a.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/verification/cases/" + d.application.id +
		"/documents/" +
		id + "/uploaded"})
	d.application.trail = append(d.application.trail, "document.uploaded "+id)
	return err
}

func (a *applicant) complete(ctx context.Context, d action) error {
	return a.transition(ctx, d.application, "complete", "documents_complete")
}

func (a *applicant) submit(ctx context.Context, d action) error {
	if a.sim.clock.ControlsBackend() {
		d.application.want["submittedAt"] = formatTime(a.sim.clock.Now())
	} else {
		delete(d.application.want, "submittedAt")
	}
	if err := a.transition(ctx, d.application, "submit", "submitted"); err != nil {
		return err
	}
	before := "submitted"
	for _, status := range reviewStatuses(d.application.Verdict)[1:] { // the reviewers' transitions that will follow
		d.application.trail = append(d.application.trail, "case.transition "+before+" -> "+status)
		before = status
	}
	d.application.want["status"] = before
	delete(d.application.want, "completedAt")
	return nil
}

// decided reports whether the reviewers decide the case. They do not if the simulation was stopped before it was
// submitted.
func (a *application) decided() bool {
	status, _ := a.want["status"].(string)
	return Verdict(status).submitted()
}

// transition makes a case's next transition. After a lost response, the repeat may report that the case has already
// moved.
func (a *applicant) transition(ctx context.Context, app *application, verb, to string) error {
	outcome, err := a.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/verification/cases/" +
		app.id + "/" + verb})
	if err != nil && (outcome.Retries == 0 || sim.Status(err) != http.StatusConflict) {
		return err
	}
	app.trail = append(app.trail, fmt.Sprintf("case.%s %v -> %s", verb, app.want["status"], to))
	app.want["status"] = to
	return nil
}

// formatTime formats a time as the API does.
func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
