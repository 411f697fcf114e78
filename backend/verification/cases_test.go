package verification

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
)

// TestCaseLifecycle takes a case from its creation to a decision (VR-R2, VR-D1, VR-D2).
func TestCaseLifecycle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	created := w.want(201, w.call("POST", "/verification/cases", sample()))
	id := created.text("verificationId")
	path := "/verification/cases/" + id
	if created.text("status") != "created" || created.text("createdAt") != "2026-02-03T10:30:00Z" ||
		created.text("expiresAt") != "2026-03-05T10:30:00Z" {
		t.Errorf("made %s", created.raw)
	}
	if got := w.want(200, w.call("GET", path, nil)); got.raw != created.raw {
		t.Errorf("read %s", got.raw)
	}
	w.want(409, w.call("POST", path+"/complete", nil))
	w.want(409, w.call("POST", path+"/submit", nil))
	document := w.upload(path, "omang_front")
	w.advance(time.Minute)
	for _, step := range []struct{ do, status string }{{"complete", "documents_complete"}, {"submit", "submitted"}} {
		if got := w.want(200, w.call("POST", path+"/"+step.do, nil)); got.text("status") != step.status {
			t.Errorf("%s: %s", step.do, got.raw)
		}
		w.want(409, w.call("POST", path+"/"+step.do, nil))
	}
	w.want(409, w.call("POST", path+"/documents", map[string]any{"documentType": "selfie", "fileSize": 1,
		"mimeType": "image/png"}))
	for _, to := range []string{"processing", "pending_review", "in_review"} {
		w.want(200, w.reviewer("rita", "POST", path+"/transition", map[string]any{"to": to}))
	}
	for _, to := range []string{"processing", "processed"} {
		w.want(200, w.reviewer("rita", "POST", document+"/status", map[string]any{"status": to,
			"processingResults": map[string]any{"faceMatch": 0.98}}))
	}
	w.advance(time.Minute)
	got := w.want(200, w.reviewer("rita", "POST", path+"/transition", map[string]any{"to": "approved",
		"reason": "all_good", "expectedStatus": "in_review"}))
	if got.text("completedAt") != "2026-02-03T10:32:00Z" || got.text("submittedAt") != "2026-02-03T10:31:00Z" ||
		got.body["customerMetadata"].(map[string]any)["email"] != "customer@example.com" {
		t.Errorf("approved %s", got.raw)
	}
	late := w.want(409, w.reviewer("ravi", "POST", path+"/transition", map[string]any{"to": "rejected"}))
	if !strings.Contains(late.raw, "approved") {
		t.Errorf("late: %s", late.raw)
	}
	item, err := w.service.store.get(t.Context(), caseKey(CaseID(id)), meta)
	if err != nil || ddb.Text(item["GSI1SK"]) != "approved#2026-02-03T10:30:00Z" ||
		ddb.Integer(item["ttl"]) != w.service.cfg.Now().Add(Lifetime-2*time.Minute).Unix() {
		t.Errorf("stored %v, %v", item, err)
	}
}

// TestReviewerTransitions tries every transition: only those of the document are permitted (VR-R2).
func TestReviewerTransitions(t *testing.T) {
	t.Parallel()
	arrows := map[Status][]Status{
		Submitted: {Processing}, Processing: {PendingReview}, PendingReview: {InReview},
		InReview: {Approved, Rejected, AutoRejected, ResubmissionRequired, Expired},
	}
	for _, from := range Statuses() {
		for _, to := range Statuses() {
			want := false
			for _, arrow := range arrows[from] {
				want = want || arrow == to
			}
			if err := checkTransition(from, to, actorReviewer); (err == nil) != want || err != nil &&
				!strings.Contains(err.Error(),
					string(from)) {
				t.Errorf("%s to %s: %v", from, to, err)
			}
		}
		if err := checkTransition(from, Expired, actorTime); (err == nil) != from.open() {
			t.Errorf("%s expires: %v", from, err)
		}
	}
}

// TestReviewersRace checks that one of many reviewers wins, and that the others learn the case's status (VR-R3).
func TestReviewersRace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.submittedCase()
	for _, to := range []string{"processing", "pending_review", "in_review"} {
		w.want(200, w.reviewer("rita", "POST", path+"/transition", map[string]any{"to": to}))
	}
	responses := make([]testResponse, 8)
	var all sync.WaitGroup
	for i := range responses {
		all.Go(func() {
			to := []string{"approved", "rejected"}[i%2]
			responses[i] = w.reviewer("r", "POST", path+"/transition", map[string]any{"to": to})
		})
	}
	all.Wait()
	won := 0
	is := w.want(200, w.call("GET", path, nil)).text("status")
	for _, a := range responses {
		if a.status == 200 {
			won++
		} else if a.status != 409 || !strings.Contains(a.raw, is) {
			t.Errorf("a loser heard %d %s", a.status, a.raw)
		}
	}
	moves := 0
	for _, e := range w.auditTrail() {
		if e.Action == "case.transition" && e.Outcome == outcomeDone && e.From == InReview {
			moves++
		}
	}
	if won != 1 || moves != 1 {
		t.Errorf("%d won, %d in the trail", won, moves)
	}
}

// TestOtherClientsCasesAreNotFound checks that another client's case gets the same response as no case, byte for byte
// (VR-R6).
func TestOtherClientsCasesAreNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.newCase()
	other := http.Header{"X-Api-Key": {w.newKey()}}
	const none = "/verification/cases/ver_00000000-0000-4000-8000-000000000000"
	const doc = "/documents/doc_00000000-0000-4000-8000-000000000000"
	for _, route := range []string{
		"GET ", "GET /documents", "POST /complete", "POST /submit", "POST /documents", "POST " + doc + "/uploaded",
		"POST " + doc + "/upload",
	} {
		method, rest, _ := strings.Cut(route, " ")
		var body any
		if rest == "/documents" && method == "POST" {
			body = map[string]any{"documentType": "selfie", "fileSize": 1, "mimeType": "image/png"}
		}
		theirs, missing := w.callWith(other, method, path+rest, body), w.callWith(other, method, none+rest, body)
		if theirs.status != 404 || theirs.raw != missing.raw {
			t.Errorf("%s: %d %s, not %d %s", route, theirs.status, theirs.raw, missing.status, missing.raw)
		}
	}
	if got := w.want(200, w.callWith(other, "GET", "/verification/cases", nil)); len(got.body["cases"].([]any)) != 0 {
		t.Errorf("the stranger lists %s", got.raw)
	}
	w.want(200, w.call("GET", path, nil))
}

// TestIdempotentCreation checks that many requests with one key create one case (VR-R11).
func TestIdempotentCreation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	with := func(key, idempotency string) http.Header {
		return http.Header{"X-Api-Key": {key}, "Idempotency-Key": {idempotency}}
	}
	responses := make([]testResponse, 8)
	var all sync.WaitGroup
	for i := range responses {
		all.Go(func() { responses[i] = w.callWith(with(w.key, "customer-1"), "POST", "/verification/cases", sample()) })
	}
	all.Wait()
	created := 0
	for _, a := range responses {
		if a.status == 201 {
			created++
		} else if a.status != 200 || a.header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("%d %s", a.status, a.raw)
		}
		if a.text("verificationId") != responses[0].text("verificationId") {
			t.Errorf("another case: %s", a.raw)
		}
	}
	if created != 1 {
		t.Errorf("%d made", created)
	}
	other := sample()
	other["documentType"] = "passport"
	if got := w.want(422, w.callWith(with(w.key, "customer-1"), "POST", "/verification/cases", other)); !strings.Contains(
		got.raw, "header.Idempotency-Key") {
		t.Error(got.raw)
	}
	if got := w.want(422, w.callWith(with(w.key, ""), "POST", "/verification/cases", sample())); strings.Count(got.raw,
		"header.Idempotency-Key") != 1 {
		t.Errorf("an empty key: %s", got.raw)
	}
	w.want(201, w.callWith(with(w.newKey(), "customer-1"), "POST", "/verification/cases", sample()))
	w.advance(idempotency.Lifetime - time.Second)
	w.want(200, w.callWith(with(w.key, "customer-1"), "POST", "/verification/cases", sample()))
	w.advance(time.Second)
	w.want(201, w.callWith(with(w.key, "customer-1"), "POST", "/verification/cases", other))
}

// TestContactDataIsSealed checks that contact data is nowhere in the table or in the log, and only in responses about a
// single case (VR-R5).
func TestContactDataIsSealed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.newCase()
	before := w.want(200, w.call("GET", path, nil))
	w.want(200, w.admin("POST", "/verification/pii-keys/rotate", nil))
	w.newCase()
	if got := w.want(200, w.call("GET", path, nil)); got.raw != before.raw {
		t.Errorf("after the rotation %s", got.raw)
	}
	w.want(422, w.call("POST", "/verification/cases",
		strings.Replace(`{"documentType":"omang","customerMetadata":{"email":"customer@example.com","phone":"26771234567"}}`,
			"omang", "x", 1)))
	for _, secret := range []string{"customer@example.com", "26771234567"} {
		for _, i := range w.items() {
			if strings.Contains(allText(i), secret) {
				t.Errorf("%s holds %s", ddb.Text(i["PK"]), secret)
			}
		}
		for _, a := range []testResponse{w.call("GET", "/verification/cases", nil), w.reviewer("rita", "GET",
			"/verification/review/cases?date=2026-02-03", nil)} {
			if a.status != 200 || strings.Contains(a.raw, secret) || !strings.Contains(a.raw, "cust_123") {
				t.Errorf("a list shows %s", a.raw)
			}
		}
		if strings.Contains(w.log.String(), secret) {
			t.Errorf("the log shows %s", secret)
		}
	}
	w.move(path, "email")
}

// move copies the sealed email address of one case into another, where it must not open.
func (w *world) move(path, attribute string) {
	w.t.Helper()
	other := w.newCase()
	id := func(path string) CaseID { return CaseID(path[len("/verification/cases/"):]) }
	from, err := w.service.store.get(w.t.Context(), caseKey(id(path)), meta)
	if err != nil {
		w.t.Fatal(err)
	}
	to, err := w.service.store.get(w.t.Context(), caseKey(id(other)), meta)
	if err != nil {
		w.t.Fatal(err)
	}
	ddb.Members(to["customerMetadata"])[attribute] = ddb.Members(from["customerMetadata"])[attribute]
	w.put(to)
	if got := w.call("GET", other, nil); got.status != 500 || strings.Contains(got.raw, "example.com") {
		w.t.Errorf("moved: %d %s", got.status, got.raw)
	}
}
