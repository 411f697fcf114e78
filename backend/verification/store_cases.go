package verification

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
)

// caseByID is VR-P1.
func (s *store) caseByID(ctx context.Context, id CaseID) (record, bool, error) {
	item, err := s.get(ctx, caseKey(id), meta)
	return caseOf(item), item != nil, err
}

// casesOfClient is VR-P3, newest first within a status; without a status, it returns every status.
func (s *store) casesOfClient(ctx context.Context, id ClientID, status Status, limit int, after ddb.Key) ([]record,
	ddb.Key, error) {
	prefix := ""
	if status != "" {
		prefix = statusKey(status)
	}
	items, last, err := s.query(ctx, indexClient, clientKey(id), prefix, false, limit, after)
	return ddb.DecodeAll(items, caseOf), last, err
}

// casesOfDay is VR-P4, oldest first.
func (s *store) casesOfDay(ctx context.Context, day string, limit int, after ddb.Key) ([]record, ddb.Key, error) {
	items, last, err := s.query(ctx, indexDate, dateKey(day), "", true, limit, after)
	return ddb.DecodeAll(items, caseOf), last, err
}

// createCase is VR-P5.
func (s *store) createCase(ctx context.Context, e *AuditEntry, c record, mark idempotency.Mark) error {
	return s.writeNew(ctx, e, mark, string(c.VerificationID), types.TransactWriteItem{Put: s.putNew(caseItem(c))})
}

// changeCaseStatus is VR-P6: it writes next, whose status was from when it was read. The document's update sets status
// and updatedAt; GSI1SK contains the status too and is written with them (VR-D2). written is false when the status has
// changed since.
func (s *store) changeCaseStatus(ctx context.Context, e *AuditEntry, from Status, next record,
	more ...types.TransactWriteItem) (written bool, err error) {
	failedConditions, err := s.write(ctx, e, append([]types.TransactWriteItem{{Update: s.statusUpdate(from, next)}},
		more...)...)
	return err == nil && len(failedConditions) == 0, err
}

func (s *store) statusUpdate(from Status, next record) *types.Update {
	status, count, now := expression.Name("status"), expression.Name("documentCount"), expression.Value(next.UpdatedAt)
	change := expression.Set(status, expression.Value(next.Status)).
		Set(expression.Name("updatedAt"), now).
		Set(expression.Name("GSI1SK"), expression.Value(next.statusSort()))
	condition := status.Equal(expression.Value(from))
	switch next.Status {
	case DocumentsUploading: // with one more document
		change = change.Set(count, expression.Value(next.documents))
		condition = condition.And(count.Equal(expression.Value(next.documents - 1)))
	case DocumentsComplete: // with the documents that were checked
		condition = condition.And(count.Equal(expression.Value(next.documents)))
	case Submitted:
		change = change.Set(expression.Name("submittedAt"), now)
	}
	if !next.Status.open() {
		change = change.Set(expression.Name("completedAt"), expression.Value(next.CompletedAt))
	}
	return s.update(caseKey(next.VerificationID), meta, change, condition)
}
