package verification

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
)

// documents is VR-P2. A case has at most maxDocuments, which fit into one page.
func (s *store) documents(ctx context.Context, id CaseID) ([]Document, error) {
	items, _, err := s.query(ctx, "", caseKey(id), documentKey(""), true, 0, nil)
	return ddb.DecodeAll(items, documentOf), err
}

func (s *store) document(ctx context.Context, id CaseID, doc DocumentID) (Document, bool, error) {
	item, err := s.get(ctx, caseKey(id), documentKey(doc))
	return documentOf(item), item != nil, err
}

// addDocument stores a document without a status and counts it in its case. Errors: ddb.ErrBusy when the case has
// changed since it was read.
func (s *store) addDocument(ctx context.Context, e *AuditEntry, from Status, c record, d Document,
	mark idempotency.Mark) error {
	return s.writeNew(ctx, e, mark, string(d.DocumentID),
		types.TransactWriteItem{Update: s.statusUpdate(from, c)},
		types.TransactWriteItem{Put: s.putNew(documentItem(d, c.ttl()))})
}

// documentUploaded sets a document's first status, if it has none and its case still waits for documents.
func (s *store) documentUploaded(ctx context.Context, e *AuditEntry, d Document) (written bool, err error) {
	status := expression.Name("status")
	update := s.update(caseKey(d.VerificationID), documentKey(d.DocumentID),
		expression.Set(status, expression.Value(Uploaded)).Set(expression.Name("uploadedAt"), expression.Value(d.UploadedAt)),
		expression.Name("PK").AttributeExists().And(status.AttributeNotExists()))
	caseOpen := s.check(caseKey(d.VerificationID), meta, status.Equal(expression.Value(DocumentsUploading)))
	failedConditions, err := s.write(ctx, e, types.TransactWriteItem{Update: update},
		types.TransactWriteItem{ConditionCheck: caseOpen})
	return err == nil && len(failedConditions) == 0, err
}

// changeDocumentStatus changes a document's status, and its results if there are any, if the status and that of its
// case are still those that were read.
func (s *store) changeDocumentStatus(ctx context.Context, e *AuditEntry, ofCase Status, from DocumentStatus,
	d Document) (written bool, err error) {
	status := expression.Name("status")
	change := expression.Set(status, expression.Value(d.Status))
	if d.ProcessingResults != nil {
		change = change.Set(expression.Name("processingResults"), expression.Value(d.ProcessingResults))
	}
	update := s.update(caseKey(d.VerificationID), documentKey(d.DocumentID), change, status.Equal(expression.Value(from)))
	caseUnchanged := s.check(caseKey(d.VerificationID), meta, status.Equal(expression.Value(ofCase)))
	failedConditions, err := s.write(ctx, e, types.TransactWriteItem{Update: update},
		types.TransactWriteItem{ConditionCheck: caseUnchanged})
	return err == nil && len(failedConditions) == 0, err
}

// removeDocument deletes the item of a document, if it exists.
func (s *store) removeDocument(ctx context.Context, id CaseID, doc DocumentID) error {
	_, err := s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: s.table, Key: primaryKey(caseKey(id),
		documentKey(doc))})
	return ddb.MapError(err)
}
