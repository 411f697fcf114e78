package verification

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/internal/web"
	"github.com/tabletop-db/tabletop/backend/verification/pii"
)

// routes connects the service to an API and to its callers.
type routes struct {
	*Service
	api                     *web.API
	client, reviewer, admin *web.Access
}

func (r routes) cases() {
	web.Add(r.api, r.client, idempotency.Operation("create-case", "/verification/cases",
		"Open a case", "201 the first time; 200 and Idempotency-Replayed when the key was used before (VR-P5, VR-R11)."),
		func(ctx context.Context, in *caseRequest) (*idempotency.Created[Case], error) {
			return idempotency.Answer(r.create(ctx, in.Body, in.IdempotencyKey))
		})
	web.Add(r.api, r.client, web.Operation("list-cases", http.MethodGet, "/verification/cases",
		"List one's cases", "Newest first within a status; without contact data (VR-P3)."),
		func(ctx context.Context, in *casesQuery) (*web.Reply[casePage], error) {
			cases, next, err := r.list(ctx, *in)
			return &web.Reply[casePage]{Body: casePage{cases, next}}, err
		})
	web.Add(r.api, r.client, web.Operation("get-case", http.MethodGet, "/verification/cases/{verificationId}",
		"Get a case", "With contact data (VR-P1)."),
		func(ctx context.Context, in *casePath) (*web.Reply[Case], error) {
			c, err := r.read(ctx, in.VerificationID)
			return &web.Reply[Case]{Body: c}, err
		})
	web.Add(r.api, r.client, moving("complete-case", "/verification/cases/{verificationId}/complete",
		"Say that all documents are there", "409 unless there is a document and all are uploaded (VR-R2). A repeat is a 409 that names the status."),
		func(ctx context.Context, in *casePath) (*web.Reply[Case], error) {
			c, err := r.complete(ctx, in.VerificationID)
			return &web.Reply[Case]{Body: c}, err
		})
	web.Add(r.api, r.client, moving("submit-case", "/verification/cases/{verificationId}/submit",
		"Submit a case", "From then on it is the reviewers' (VR-R2). A repeat is a 409 that names the status."),
		func(ctx context.Context, in *casePath) (*web.Reply[Case], error) {
			c, err := r.submit(ctx, in.VerificationID)
			return &web.Reply[Case]{Body: c}, err
		})
}

// moving describes an operation that the current status can refuse.
func moving(id, path, summary, description string) huma.Operation {
	op := web.Operation(id, http.MethodPost, path, summary, description)
	op.DefaultStatus = http.StatusOK
	op.Errors = []int{http.StatusConflict}
	return op
}

func (r routes) documents() {
	web.Add(r.api, r.client, idempotency.Operation("add-document", "/verification/cases/{verificationId}/documents",
		"Announce a document", "Answers where to send its file; the address is good for 15 minutes (VR-R4). A repeat with its key gets the same"+
			" document, with another address while its file is waited for (VR-R11)."),
		func(ctx context.Context, in *documentRequest) (*idempotency.Created[announced], error) {
			a, again, err := r.addDocument(ctx, in.VerificationID, in.Body, in.IdempotencyKey)
			return idempotency.Answer(announcedOf(a), again, err)
		})
	web.Add(r.api, r.client, web.Operation("list-documents", http.MethodGet, "/verification/cases/{verificationId}/documents",
		"List a case's documents", "Those without a status are not uploaded yet (VR-P2)."),
		func(ctx context.Context, in *casePath) (*web.Reply[documentList], error) {
			documents, err := r.listDocuments(ctx, in.VerificationID)
			return &web.Reply[documentList]{Body: documentList{documents}}, err
		})
	web.Add(r.api, r.client, moving("renew-upload", "/verification/cases/{verificationId}/documents/{documentId}/upload",
		"Get another address for a file", "Where the first one has ended, or was in an answer that got lost; 409 once the file is there. A repeat gives"+
			" one more address of the same document."),
		func(ctx context.Context, in *documentPath) (*web.Reply[announced], error) {
			a, err := r.renewUpload(ctx, in.VerificationID, in.DocumentID)
			return web.Answer(announcedOf(a), err)
		})
	web.Add(r.api, r.client, moving("confirm-document", "/verification/cases/{verificationId}/documents/{documentId}/uploaded",
		"Say that a file is there", "409 if it is not, or is another than was announced. A repeat changes nothing."),
		func(ctx context.Context, in *documentPath) (*web.Reply[Document], error) {
			d, err := r.uploaded(ctx, in.VerificationID, in.DocumentID)
			return &web.Reply[Document]{Body: d}, err
		})
}

func (r routes) sessions() {
	create := idempotency.Operation("create-session", "/verification/sessions",
		"Open a session", "By an API key; the session ends after an hour, or with its key (VR-P9). A repeat with its Idempotency-Key opens no"+
			" second one and shows the first without its token: open another with another key (VR-R11).")
	create.Errors = append(create.Errors, http.StatusNotFound)
	web.Add(r.api, r.client, create,
		func(ctx context.Context, in *idempotency.Header) (*idempotency.Created[newSession], error) {
			if callerOf(ctx).sessionID != "" {
				return nil, web.Bad("header.X-API-Key", "a session is opened by an API key, not by another session")
			}
			return idempotency.Answer(r.createSession(ctx, in.IdempotencyKey))
		})
	web.Add(r.api, r.client, web.Operation("end-session", http.MethodDelete, "/verification/sessions/self",
		"End the session of this request", "It is refused from now on."),
		func(ctx context.Context, _ *struct{}) (*struct{}, error) { return nil, r.endSession(ctx) })
}

func (r routes) reviews() {
	web.Add(r.api, r.reviewer, web.Operation("list-day", http.MethodGet, "/verification/review/cases",
		"List the cases of a day", "Of all clients, oldest first; without contact data (VR-P4)."),
		func(ctx context.Context, in *dayQuery) (*web.Reply[casePage], error) {
			cases, next, err := r.listDay(ctx, *in)
			return &web.Reply[casePage]{Body: casePage{cases, next}}, err
		})
	web.Add(r.api, r.reviewer, web.Operation("review-case", http.MethodGet, "/verification/review/cases/{verificationId}",
		"Get a case for review", "With contact data (VR-P1)."),
		func(ctx context.Context, in *casePath) (*web.Reply[Case], error) {
			c, err := r.read(ctx, in.VerificationID)
			return &web.Reply[Case]{Body: c}, err
		})
	web.Add(r.api, r.reviewer, web.Operation("review-documents", http.MethodGet, "/verification/review/cases/{verificationId}/documents",
		"List a case's documents for review", "With their processing results (VR-P2)."),
		func(ctx context.Context, in *casePath) (*web.Reply[documentList], error) {
			documents, err := r.listDocuments(ctx, in.VerificationID)
			return &web.Reply[documentList]{Body: documentList{documents}}, err
		})
	web.Add(r.api, r.reviewer, moving("move-case", "/verification/cases/{verificationId}/transition",
		"Move a case", "Of two reviewers one wins; the other, and a repeat, gets a 409 that names the status (VR-P6, VR-R2, VR-R3)."),
		func(ctx context.Context, in *transitionRequest) (*web.Reply[Case], error) {
			c, err := r.transition(ctx, in.VerificationID, in.Body)
			return &web.Reply[Case]{Body: c}, err
		})
	web.Add(r.api, r.reviewer, moving("judge-document", "/verification/cases/{verificationId}/documents/{documentId}/status",
		"Move a document", "uploaded, processing, then processed or failed (VR-R4). A repeat is a 409 that names the status."),
		func(ctx context.Context, in *judgementRequest) (*web.Reply[Document], error) {
			d, err := r.judge(ctx, in.VerificationID, in.DocumentID, in.Body)
			return &web.Reply[Document]{Body: d}, err
		})
}

func (r routes) administration() {
	create := idempotency.Operation("create-api-key", "/verification/api-keys",
		"Create an API key", "The key is in this answer and nowhere else. A repeat with its Idempotency-Key makes no second one and shows the"+
			" first one's record without the key: revoke that, and make another with another Idempotency-Key (VR-R11).")
	web.Add(r.api, r.admin, create,
		func(ctx context.Context, in *apiKeyRequest) (*idempotency.Created[newKey], error) {
			return idempotency.Answer(r.createKey(ctx, in.Body, in.IdempotencyKey))
		})
	web.Add(r.api, r.admin, web.Operation("list-api-keys", http.MethodGet, "/verification/api-keys",
		"List API keys", "Newest first, revoked ones included."),
		func(ctx context.Context, in *pageQuery) (*web.Reply[keyPage], error) {
			keys, next, err := r.listKeys(ctx, *in)
			return &web.Reply[keyPage]{Body: keyPage{keys, next}}, err
		})
	web.Add(r.api, r.admin, web.Operation("revoke-api-key", http.MethodDelete, "/verification/api-keys/{keyId}",
		"Revoke an API key", "It is refused from now on, and its sessions with it."),
		func(ctx context.Context, in *keyPath) (*web.Reply[APIKey], error) {
			k, err := r.revokeKey(ctx, in.KeyID)
			return &web.Reply[APIKey]{Body: k}, err
		})
	web.Add(r.api, r.admin, web.Operation("read-audit", http.MethodGet, "/verification/audit",
		"Read the audit trail", "Of a user or of a day, newest first (VR-P7, VR-P8)."),
		func(ctx context.Context, in *auditQuery) (*web.Reply[auditPage], error) {
			entries, next, err := r.auditOf(ctx, *in)
			return &web.Reply[auditPage]{Body: auditPage{entries, next}}, err
		})
	rotate := web.Operation("rotate-key", http.MethodPost, "/verification/pii-keys/rotate",
		"Rotate the key of contact data", "New values are sealed by a new key; older ones open still (VR-R5). A repeat rotates once more, which does no harm.")
	rotate.DefaultStatus = http.StatusOK
	web.Add(r.api, r.admin, rotate,
		func(ctx context.Context, _ *struct{}) (out *web.Reply[pii.Info], err error) {
			err = r.audited(ctx, AuditEntry{Action: "pii.rotate"}, func(*AuditEntry) error {
				info, err := r.keys.Rotate(ctx)
				out = &web.Reply[pii.Info]{Body: info}
				return unusable(err)
			})
			return out, err
		})
}

func (r routes) operations() {
	web.Add(r.api, web.Open, web.Operation("health", http.MethodGet, "/verification/healthz",
		"Health", "200 when the database and its table answer, else 503."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[health], error) {
			return &web.Reply[health]{Body: health{"ok", Version, Region}}, r.store.reachable(ctx)
		})
	web.Add(r.api, web.Open, web.Operation("stats", http.MethodGet, "/verification/stats", "Counters", "Since the service began."),
		func(context.Context, *struct{}) (*web.Reply[Stats], error) {
			return &web.Reply[Stats]{Body: r.Stats()}, nil
		})
}
