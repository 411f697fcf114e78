package verification

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// auditYears is how long audit entries are kept. A case lives 30 days in the same table: each item has its own ttl
// (VR-D4).
const auditYears = 5

// AuditEntry is one operation in the audit trail (VR-R8). It contains ids, codes and statuses, but no personal data.
type AuditEntry struct {
	EventID        string     `json:"eventId" dynamodbav:"eventId,omitempty" example:"evt_7c9e6679-7425-40de-944b-e07fc1f90ae7"`
	At             string     `json:"at" dynamodbav:"at,omitempty" doc:"ISO 8601 in UTC, milliseconds" example:"2026-01-14T10:00:00.000Z"`
	UserID         string     `json:"userId" dynamodbav:"userId,omitempty" doc:"A client id, a reviewer's subject, admin or system" example:"client_xyz789"`
	Role           Role       `json:"role" dynamodbav:"role,omitempty" enum:"client,reviewer,admin,system"`
	Action         string     `json:"action" dynamodbav:"action,omitempty" example:"case.create"`
	Outcome        string     `json:"outcome" dynamodbav:"outcome,omitempty" enum:"done,replayed,not_found,refused"`
	VerificationID CaseID     `json:"verificationId,omitempty" dynamodbav:"verificationId,omitempty"`
	DocumentID     DocumentID `json:"documentId,omitempty" dynamodbav:"documentId,omitempty"`
	Reference      string     `json:"reference,omitempty" dynamodbav:"reference,omitempty" doc:"The id of an API key or session, or the day of a listing or of a job"`
	From           Status     `json:"from,omitempty" dynamodbav:"from,omitempty"`
	To             Status     `json:"to,omitempty" dynamodbav:"to,omitempty"`
	Reason         string     `json:"reason,omitempty" dynamodbav:"reason,omitempty" doc:"The reviewer's reason code" example:"document_unreadable"`

	ttl    int64 // epoch seconds
	stored bool  // set when it is stored
}

// Role is the role of a caller.
type Role string

// The roles.
const (
	RoleClient   Role = "client"
	RoleReviewer Role = "reviewer"
	RoleAdmin    Role = "admin"
	RoleSystem   Role = "system"
)

const (
	outcomeDone     = "done"
	outcomeReplayed = "replayed"
	outcomeNotFound = "not_found"
	outcomeRefused  = "refused"
)

// caller identifies the caller of a request.
type caller struct {
	user      string
	role      Role
	client    ClientID // of a client
	keyID     string   // the key that a client used, or that opened its session
	sessionID string   // empty for a key
}

type callerKey struct{}

// callerOf returns the caller of a request; an unknown caller has no role and thus no permissions.
func callerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}

// asSystem returns a context in which the service itself acts, as its jobs do.
func asSystem(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, caller{user: "system", role: RoleSystem})
}

func auditTTL(at time.Time) time.Time { return at.AddDate(auditYears, 0, 0) }

// audited runs an operation and writes its audit entry. A write includes the entry in its own transaction; for other
// operations the entry is stored before the response, so that nothing is shown that is not in the trail. A request that
// fails before a decision, such as one with an invalid cursor, has no entry. Errors: errNoCaller when the caller is
// unknown; then the operation does not run.
func (s *Service) audited(ctx context.Context, e AuditEntry, do func(e *AuditEntry) error) error {
	who, now := callerOf(ctx), s.cfg.Now().UTC()
	if who.role == "" {
		return errNoCaller
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return err
	}
	e.EventID, e.At, e.ttl = "evt_"+id.String(), now.Format(auditLayout), auditTTL(now).Unix()
	e.UserID, e.Role, e.Outcome = who.user, who.role, outcomeDone
	err = do(&e)
	if e.stored {
		return err
	}
	switch status := statusOf(err); {
	case status == http.StatusNotFound:
		e.Outcome = outcomeNotFound
	case status == http.StatusConflict, status == http.StatusUnprocessableEntity:
		e.Outcome = outcomeRefused
	case err != nil:
		return err
	}
	if failed := s.store.putEntry(ctx, e); failed != nil {
		return failed
	}
	return err
}

// statusOf returns the HTTP status of an error that has one.
func statusOf(err error) int {
	var webErr *web.Error
	if errors.As(err, &webErr) {
		return webErr.Status
	}
	return 0
}

// readAudit lists the entries of a user or a day, newest first (VR-P7, VR-P8).
func (s *Service) readAudit(ctx context.Context, q auditQuery) (entries []AuditEntry, next string, err error) {
	if (q.User == "") == (q.Date == "") {
		return nil, "", web.Invalid("query.user", "send either user or date")
	}
	err = s.audited(ctx, AuditEntry{Action: "audit.read", Reference: q.User + q.Date}, func(*AuditEntry) error {
		entries, next, err = s.listAudit(ctx, q)
		return err
	})
	return entries, next, err
}

func (s *Service) listAudit(ctx context.Context, q auditQuery) ([]AuditEntry, string, error) {
	parts := map[string]func(string) bool{"PK": matcher("^" + prefixAudit + "[0-9-]{10}$"),
		"SK": matcher(patternAuditSort)}
	if q.Date != "" {
		parts["PK"] = web.Equals(auditKey(q.Date))
		after, err := web.DecodeCursor(q.Cursor, parts)
		if err != nil {
			return nil, "", err
		}
		entries, last, err := s.store.auditOfDay(ctx, q.Date, q.Limit, after)
		return entries, web.EncodeCursor(last), err
	}
	parts["GSI3PK"], parts["GSI3SK"] = web.Equals(userKey(q.User)), matcher(patternAuditSort)
	after, err := web.DecodeCursor(q.Cursor, parts)
	if err != nil {
		return nil, "", err
	}
	entries, last, err := s.store.auditOfUser(ctx, q.User, q.Limit, after)
	return entries, web.EncodeCursor(last), err
}
