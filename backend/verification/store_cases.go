package verification

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
)

// record is a case as it is stored: its contact data is sealed, and Case has none of it.
type record struct {
	Case
	email, phone string // sealed
	documents    int64  // how many it has, by which calls at once notice each other
}

// caseByID is VR-P1.
func (s *store) caseByID(ctx context.Context, id CaseID) (record, bool, error) {
	item, err := s.get(ctx, caseKey(id), meta)
	return caseOf(item), item != nil, err
}

// casesOfClient is VR-P3, newest first within a status; without one it is every status.
func (s *store) casesOfClient(ctx context.Context, id ClientID, status Status, limit int, after ddb.Key) ([]record, ddb.Key, error) {
	beginning := ""
	if status != "" {
		beginning = statusKey(status)
	}
	items, last, err := s.query(ctx, indexClient, clientKey(id), beginning, false, limit, after)
	return ddb.Collect(items, caseOf), last, err
}

// casesOfDay is VR-P4, oldest first.
func (s *store) casesOfDay(ctx context.Context, day string, limit int, after ddb.Key) ([]record, ddb.Key, error) {
	items, last, err := s.query(ctx, indexDate, dateKey(day), "", true, limit, after)
	return ddb.Collect(items, caseOf), last, err
}

// createCase is VR-P5.
func (s *store) createCase(ctx context.Context, e *AuditEntry, c record, mark idempotency.Mark) error {
	return s.writeNew(ctx, e, mark, string(c.VerificationID), types.TransactWriteItem{Put: s.putNew(caseItem(c))})
}

// moveCase is VR-P6: next, whose status was from when it was read. The document's update names status and updatedAt;
// GSI1SK holds the status too and is written with them (VR-D2). Moved is false when the status is another by now.
func (s *store) moveCase(ctx context.Context, e *AuditEntry, from Status, next record, with ...types.TransactWriteItem) (moved bool, err error) {
	unmet, err := s.write(ctx, e, append([]types.TransactWriteItem{{Update: s.moving(from, next)}}, with...)...)
	return err == nil && len(unmet) == 0, err
}

func (s *store) moving(from Status, next record) *types.Update {
	update, condition := "SET #status = :to, updatedAt = :now, GSI1SK = :sort", "#status = :from"
	values := ddb.Item{
		":from": ddb.Str(from), ":to": ddb.Str(next.Status), ":now": ddb.Str(next.UpdatedAt), ":sort": ddb.Str(next.statusSort()),
	}
	switch next.Status {
	case DocumentsUploading: // with one document more
		update, condition = update+", documentCount = :documents", condition+" AND documentCount = :seen"
		values[":documents"], values[":seen"] = ddb.Number(next.documents), ddb.Number(next.documents-1)
	case DocumentsComplete: // with those that were looked at
		condition += " AND documentCount = :seen"
		values[":seen"] = ddb.Number(next.documents)
	case Submitted:
		update += ", submittedAt = :now"
	}
	if !next.Status.open() {
		update += ", completedAt = :completed"
		values[":completed"] = ddb.Str(next.CompletedAt)
	}
	return s.change(caseKey(next.VerificationID), meta, update, condition, values)
}
