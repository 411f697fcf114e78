package verification

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// transition is a reviewer's transition (VR-R2, VR-R3).
func (s *Service) transition(ctx context.Context, id CaseID, in transition) (c Case, err error) {
	e := AuditEntry{Action: "case.transition", VerificationID: id, To: in.To, Reason: in.Reason}
	err = s.audited(ctx, e, func(e *AuditEntry) error {
		c, err = s.changeStatus(ctx, e, id, in.To, actorReviewer, func(r record) error {
			if status := s.atNow(r.Case).Status; in.ExpectedStatus != "" && in.ExpectedStatus != status {
				return web.Conflict(fmt.Sprintf("the case is %s, not %s", status, in.ExpectedStatus))
			}
			return nil
		})
		return err
	})
	return c, err
}

// submit is a client's last transition.
func (s *Service) submit(ctx context.Context, id CaseID) (c Case, err error) {
	err = s.audited(ctx, AuditEntry{Action: "case.submit", VerificationID: id, To: Submitted}, func(e *AuditEntry) error {
		c, err = s.changeStatus(ctx, e, id, Submitted, actorClient, nil)
		return err
	})
	return c, err
}

// complete declares that all documents have arrived, after checking it.
func (s *Service) complete(ctx context.Context, id CaseID) (c Case, err error) {
	err = s.audited(ctx, AuditEntry{Action: "case.complete", VerificationID: id, To: DocumentsComplete},
		func(e *AuditEntry) error {
			c, err = s.changeStatus(ctx, e, id, DocumentsComplete, actorClient, func(record) error {
				return s.allUploaded(ctx, id)
			})
			return err
		})
	return c, err
}

func (s *Service) allUploaded(ctx context.Context, id CaseID) error {
	documents, err := s.store.documents(ctx, id)
	if err != nil {
		return err
	}
	for _, d := range documents {
		if d.Status == "" {
			return web.Conflict("the document " + string(d.DocumentID) +
				" is not uploaded yet; send its file, then confirm the upload")
		}
	}
	if len(documents) == 0 {
		return web.Conflict("the case has no documents yet")
	}
	return nil
}

// changeStatus changes the status of a case that the caller may see, if check agrees. The write is conditional on the
// status that was read: of two concurrent requests one wins, and the other learns the new status (VR-R3).
func (s *Service) changeStatus(ctx context.Context, e *AuditEntry, id CaseID, to Status, by actor,
	check func(record) error) (c Case, err error) {
	err = s.retryConflicts(ctx, func() error {
		r, err := s.visibleCase(ctx, id)
		if err != nil {
			return err
		}
		e.From = s.atNow(r.Case).Status
		if err := checkTransition(e.From, to, by); err != nil {
			return err
		}
		if check != nil {
			if err := check(r); err != nil {
				return err
			}
		}
		if c, err = s.withContactData(ctx, r); err != nil { // before writing, because the response contains it
			return err
		}
		moved, err := s.transitionCase(ctx, e, r, to)
		moved.CustomerMetadata = c.CustomerMetadata
		c = moved.Case
		return err
	})
	return c, err
}

// transitionCase makes one transition of a case that was read. Errors: 409 when the case has changed since.
func (s *Service) transitionCase(ctx context.Context, e *AuditEntry, r record, to Status,
	actions ...types.TransactWriteItem) (record, error) {
	next := r
	next.Status, next.UpdatedAt = to, s.now()
	switch {
	case to == Submitted:
		next.SubmittedAt = next.UpdatedAt
	case to == Expired && e.Role == RoleSystem:
		next.CompletedAt = r.ExpiresAt // when it expired, not when that was noticed
	case !to.open():
		next.CompletedAt = next.UpdatedAt
	}
	written, err := s.store.changeCaseStatus(ctx, e, r.Status, next, actions...)
	if err == nil && !written {
		return record{}, s.conflictError(ctx, r)
	}
	if err == nil {
		s.stats.transitions.Add(1)
	}
	return next, err
}

// conflictError returns the error for a request that lost a race.
func (s *Service) conflictError(ctx context.Context, before record) error {
	r, err := s.visibleCase(ctx, before.VerificationID)
	if err != nil {
		return err
	}
	status := s.atNow(r.Case).Status
	if status == before.Status {
		return web.Conflict(fmt.Sprintf("another request was faster; the case is still %s", status))
	}
	return web.Conflict(fmt.Sprintf("another request was faster: the case is now %s, not %s", status, before.Status))
}
