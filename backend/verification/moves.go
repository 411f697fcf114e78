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
		c, err = s.move(ctx, e, id, in.To, reviewer, func(r record) error {
			if is := s.seen(r.Case).Status; in.ExpectedStatus != "" && in.ExpectedStatus != is {
				return web.Conflict(fmt.Sprintf("the case is %s, not %s", is, in.ExpectedStatus))
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
		c, err = s.move(ctx, e, id, Submitted, client, nil)
		return err
	})
	return c, err
}

// complete declares that all documents have arrived, after checking it.
func (s *Service) complete(ctx context.Context, id CaseID) (c Case, err error) {
	err = s.audited(ctx, AuditEntry{Action: "case.complete", VerificationID: id, To: DocumentsComplete},
		func(e *AuditEntry) error {
			c, err = s.move(ctx, e, id, DocumentsComplete, client, func(record) error { return s.allUploaded(ctx, id) })
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

// move changes the status of a case that the caller may see, if check agrees. The write is conditional on the status
// that was read: of two concurrent requests one wins, and the other learns the new status (VR-R3).
func (s *Service) move(ctx context.Context, e *AuditEntry, id CaseID, to Status, by mover,
	check func(record) error) (c Case, err error) {
	err = s.insist(ctx, func() error {
		r, err := s.owned(ctx, id)
		if err != nil {
			return err
		}
		e.From = s.seen(r.Case).Status
		if err := allow(e.From, to, by); err != nil {
			return err
		}
		if check != nil {
			if err := check(r); err != nil {
				return err
			}
		}
		if c, err = s.whole(ctx, r); err != nil { // before writing, because the response contains it
			return err
		}
		moved, err := s.step(ctx, e, r, to)
		moved.CustomerMetadata = c.CustomerMetadata
		c = moved.Case
		return err
	})
	return c, err
}

// step makes one transition of a case that was read. Errors: 409 when the case has changed since.
func (s *Service) step(ctx context.Context, e *AuditEntry, r record, to Status,
	with ...types.TransactWriteItem) (record, error) {
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
	moved, err := s.store.moveCase(ctx, e, r.Status, next, with...)
	if err == nil && !moved {
		return record{}, s.meanwhile(ctx, r)
	}
	if err == nil {
		s.stats.moves.Add(1)
	}
	return next, err
}

// meanwhile returns the error for a request that lost a race.
func (s *Service) meanwhile(ctx context.Context, was record) error {
	r, err := s.owned(ctx, was.VerificationID)
	if err != nil {
		return err
	}
	is := s.seen(r.Case).Status
	if is == was.Status {
		return web.Conflict(fmt.Sprintf("another request was faster; the case is still %s", is))
	}
	return web.Conflict(fmt.Sprintf("another request was faster: the case is now %s, not %s", is, was.Status))
}
