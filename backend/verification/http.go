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
		"Open a case",
		"Returns 201 for a new case, and 200 with Idempotency-Replayed for a repeat with the same key (VR-P5, VR-R11)."),
		func(ctx context.Context, in *caseRequest) (*idempotency.Created[Case], error) {
			return idempotency.NewCreated(r.create(ctx, in.Body, in.IdempotencyKey))
		})
	web.Add(r.api, r.client, web.Operation("list-cases", http.MethodGet, "/verification/cases",
		"List your cases", "Newest first within a status, without contact data (VR-P3)."),
		func(ctx context.Context, in *casesQuery) (*web.Reply[casePage], error) {
			cases, next, err := r.list(ctx, *in)
			return &web.Reply[casePage]{Body: casePage{cases, next}}, err
		})
	web.Add(r.api, r.client, web.Operation("get-case", http.MethodGet, "/verification/cases/{verificationId}",
		"Get a case", "Includes contact data (VR-P1)."),
		func(ctx context.Context, in *casePath) (*web.Reply[Case], error) {
			c, err := r.read(ctx, in.VerificationID)
			return &web.Reply[Case]{Body: c}, err
		})
	web.Add(r.api, r.client, transitionOperation("complete-case", "/verification/cases/{verificationId}/complete",
		"Complete the documents", "Returns 409 unless there is at least one document and all are uploaded (VR-R2). A repeat returns 409 with the current status."),
		func(ctx context.Context, in *casePath) (*web.Reply[Case], error) {
			c, err := r.complete(ctx, in.VerificationID)
			return &web.Reply[Case]{Body: c}, err
		})
	web.Add(r.api, r.client, transitionOperation("submit-case", "/verification/cases/{verificationId}/submit",
		"Submit a case", "Hands the case to the reviewers (VR-R2). A repeat returns 409 with the current status."),
		func(ctx context.Context, in *casePath) (*web.Reply[Case], error) {
			c, err := r.submit(ctx, in.VerificationID)
			return &web.Reply[Case]{Body: c}, err
		})
}

// transitionOperation describes an operation that the current status can refuse.
func transitionOperation(id, path, summary, description string) huma.Operation {
	op := web.Operation(id, http.MethodPost, path, summary, description)
	op.DefaultStatus = http.StatusOK
	op.Errors = []int{http.StatusConflict}
	return op
}

func (r routes) documents() {
	web.Add(r.api, r.client, idempotency.Operation("add-document", "/verification/cases/{verificationId}/documents",
		"Add a document",
		"Returns the URL for its file, valid for 15 minutes (VR-R4). A repeat with the same Idempotency-Key returns the same"+
			" document, with a new URL while its file is expected (VR-R11)."),
		func(ctx context.Context, in *documentRequest) (*idempotency.Created[documentUpload], error) {
			a, replayed, err := r.addDocument(ctx, in.VerificationID, in.Body, in.IdempotencyKey)
			return idempotency.NewCreated(newDocumentUpload(a), replayed, err)
		})
	web.Add(r.api, r.client, web.Operation("list-documents", http.MethodGet,
		"/verification/cases/{verificationId}/documents",
		"List a case's documents", "Those without a status are not uploaded yet (VR-P2)."),
		func(ctx context.Context, in *casePath) (*web.Reply[documentList], error) {
			documents, err := r.listDocuments(ctx, in.VerificationID)
			return &web.Reply[documentList]{Body: documentList{documents}}, err
		})
	web.Add(r.api, r.client, transitionOperation("renew-upload",
		"/verification/cases/{verificationId}/documents/{documentId}/upload",
		"Get a new upload URL",
		"For an expired URL or a lost response. Returns 409 when the file is already uploaded. A repeat returns"+
			" another URL for the same document."),
		func(ctx context.Context, in *documentPath) (*web.Reply[documentUpload], error) {
			a, err := r.renewUpload(ctx, in.VerificationID, in.DocumentID)
			return web.NewReply(newDocumentUpload(a), err)
		})
	web.Add(r.api, r.client, transitionOperation("confirm-document",
		"/verification/cases/{verificationId}/documents/{documentId}/uploaded",
		"Confirm an upload",
		"Returns 409 if the file is missing or differs from the announced one. A repeat changes nothing."),
		func(ctx context.Context, in *documentPath) (*web.Reply[Document], error) {
			d, err := r.confirmUpload(ctx, in.VerificationID, in.DocumentID)
			return &web.Reply[Document]{Body: d}, err
		})
}

func (r routes) sessions() {
	create := idempotency.Operation("create-session", "/verification/sessions",
		"Open a session", "Requires an API key; the session ends after an hour, or when its key is revoked (VR-P9). A repeat with the same Idempotency-Key opens no"+
			" second session and returns the first without its token; to get a token, use a new Idempotency-Key (VR-R11).")
	create.Errors = append(create.Errors, http.StatusNotFound)
	web.Add(r.api, r.client, create,
		func(ctx context.Context, in *idempotency.Header) (*idempotency.Created[newSession], error) {
			if callerOf(ctx).sessionID != "" {
				return nil, web.Bad("header.X-API-Key", "sessions are opened with an API key, not with another session")
			}
			return idempotency.NewCreated(r.createSession(ctx, in.IdempotencyKey))
		})
	web.Add(r.api, r.client, web.Operation("end-session", http.MethodDelete, "/verification/sessions/self",
		"End the session of this request", "The session is rejected from now on."),
		func(ctx context.Context, _ *struct{}) (*struct{}, error) { return nil, r.endSession(ctx) })
}

func (r routes) reviews() {
	web.Add(r.api, r.reviewer, web.Operation("list-day", http.MethodGet, "/verification/review/cases",
		"List the cases of a day", "Cases of all clients, oldest first, without contact data (VR-P4)."),
		func(ctx context.Context, in *dayQuery) (*web.Reply[casePage], error) {
			cases, next, err := r.listDay(ctx, *in)
			return &web.Reply[casePage]{Body: casePage{cases, next}}, err
		})
	web.Add(r.api, r.reviewer, web.Operation("review-case", http.MethodGet, "/verification/review/cases/{verificationId}",
		"Get a case for review", "Includes contact data (VR-P1)."),
		func(ctx context.Context, in *casePath) (*web.Reply[Case], error) {
			c, err := r.read(ctx, in.VerificationID)
			return &web.Reply[Case]{Body: c}, err
		})
	web.Add(r.api, r.reviewer, web.Operation("review-documents", http.MethodGet,
		"/verification/review/cases/{verificationId}/documents",
		"List a case's documents for review", "Includes processing results (VR-P2)."),
		func(ctx context.Context, in *casePath) (*web.Reply[documentList], error) {
			documents, err := r.listDocuments(ctx, in.VerificationID)
			return &web.Reply[documentList]{Body: documentList{documents}}, err
		})
	web.Add(r.api, r.reviewer, transitionOperation("move-case", "/verification/cases/{verificationId}/transition",
		"Change a case's status", "If two reviewers compete, one succeeds; the other, like a repeat, gets 409 with the current status (VR-P6, VR-R2, VR-R3)."),
		func(ctx context.Context, in *transitionRequest) (*web.Reply[Case], error) {
			c, err := r.transition(ctx, in.VerificationID, in.Body)
			return &web.Reply[Case]{Body: c}, err
		})
	web.Add(r.api, r.reviewer,
		transitionOperation("set-document-status", "/verification/cases/{verificationId}/documents/{documentId}/status",
			"Change a document's status",
			"From uploaded to processing, then to processed or failed (VR-R4). A repeat returns 409 with the current status."),
		func(ctx context.Context, in *documentStatusRequest) (*web.Reply[Document], error) {
			d, err := r.setDocumentStatus(ctx, in.VerificationID, in.DocumentID, in.Body)
			return &web.Reply[Document]{Body: d}, err
		})
}

func (r routes) administration() {
	create := idempotency.Operation("create-api-key", "/verification/api-keys",
		"Create an API key",
		"Only this response contains the key. A repeat with the same Idempotency-Key creates no second key and returns the"+
			" first one's record without the key: revoke it, and create another with a new Idempotency-Key (VR-R11).")
	web.Add(r.api, r.admin, create,
		func(ctx context.Context, in *apiKeyRequest) (*idempotency.Created[newKey], error) {
			return idempotency.NewCreated(r.createKey(ctx, in.Body, in.IdempotencyKey))
		})
	web.Add(r.api, r.admin, web.Operation("list-api-keys", http.MethodGet, "/verification/api-keys",
		"List API keys", "Newest first, revoked ones included."),
		func(ctx context.Context, in *pageQuery) (*web.Reply[keyPage], error) {
			keys, next, err := r.listKeys(ctx, *in)
			return &web.Reply[keyPage]{Body: keyPage{keys, next}}, err
		})
	web.Add(r.api, r.admin, web.Operation("revoke-api-key", http.MethodDelete, "/verification/api-keys/{keyId}",
		"Revoke an API key", "The key and its sessions are rejected from now on."),
		func(ctx context.Context, in *keyPath) (*web.Reply[APIKey], error) {
			k, err := r.revokeKey(ctx, in.KeyID)
			return &web.Reply[APIKey]{Body: k}, err
		})
	web.Add(r.api, r.admin, web.Operation("read-audit", http.MethodGet, "/verification/audit",
		"Read the audit trail", "Entries of a user or a day, newest first (VR-P7, VR-P8)."),
		func(ctx context.Context, in *auditQuery) (*web.Reply[auditPage], error) {
			entries, next, err := r.readAudit(ctx, *in)
			return &web.Reply[auditPage]{Body: auditPage{entries, next}}, err
		})
	rotate := web.Operation("rotate-key", http.MethodPost, "/verification/pii-keys/rotate",
		"Rotate the contact data key", "New values are encrypted with a new key; existing ones can still be decrypted (VR-R5). A repeat rotates again, which is harmless.")
	rotate.DefaultStatus = http.StatusOK
	web.Add(r.api, r.admin, rotate,
		func(ctx context.Context, _ *struct{}) (out *web.Reply[pii.KeysetInfo], err error) {
			err = r.audited(ctx, AuditEntry{Action: "pii.rotate"}, func(*AuditEntry) error {
				info, err := r.keys.Rotate(ctx)
				out = &web.Reply[pii.KeysetInfo]{Body: info}
				return keyError(err)
			})
			return out, err
		})
}

func (r routes) operations() {
	web.Add(r.api, web.Open, web.Operation("health", http.MethodGet, "/verification/healthz",
		"Health", "Returns 200 when the database and its table respond, otherwise 503."),
		func(ctx context.Context, _ *struct{}) (*web.Reply[health], error) {
			return &web.Reply[health]{Body: health{"ok", Version, Region}}, r.store.reachable(ctx)
		})
	web.Add(r.api, web.Open, web.Operation("stats", http.MethodGet, "/verification/stats", "Counters",
		"Counted since the service started."),
		func(context.Context, *struct{}) (*web.Reply[Stats], error) {
			return &web.Reply[Stats]{Body: r.Stats()}, nil
		})
}
