package verification

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
)

// documents is VR-P2. A case has at most maxDocuments, which fit into one page.
func (s *store) documents(ctx context.Context, id CaseID) ([]Document, error) {
	items, _, err := s.query(ctx, "", caseKey(id), documentKey(""), true, 0, nil)
	return ddb.Collect(items, documentOf), err
}

func (s *store) document(ctx context.Context, id CaseID, doc DocumentID) (Document, bool, error) {
	item, err := s.get(ctx, caseKey(id), documentKey(doc))
	return documentOf(item), item != nil, err
}

// addDocument stores a document without a status, as its case counts it; ddb.ErrBusy when the case has changed meanwhile.
func (s *store) addDocument(ctx context.Context, e *AuditEntry, from Status, c record, d Document, mark idempotency.Mark) error {
	return s.writeNew(ctx, e, mark, string(d.DocumentID),
		types.TransactWriteItem{Update: s.moving(from, c)}, types.TransactWriteItem{Put: s.putNew(documentItem(d, c.ttl()))})
}

// documentUploaded gives a document its first status, if it has none and its case waits for documents still.
func (s *store) documentUploaded(ctx context.Context, e *AuditEntry, d Document) (written bool, err error) {
	update := s.change(caseKey(d.VerificationID), documentKey(d.DocumentID), "SET #status = :uploaded, uploadedAt = :now",
		"attribute_exists(PK) AND attribute_not_exists(#status)", ddb.Item{":uploaded": ddb.Str(Uploaded), ":now": ddb.Str(d.UploadedAt)})
	waits := s.check(caseKey(d.VerificationID), meta, "#status = :uploading", ddb.Item{":uploading": ddb.Str(DocumentsUploading)})
	unmet, err := s.write(ctx, e, types.TransactWriteItem{Update: update}, types.TransactWriteItem{ConditionCheck: waits})
	return err == nil && len(unmet) == 0, err
}

// moveDocument changes a document's status, with its results if there are any, if it is still the one that was read.
func (s *store) moveDocument(ctx context.Context, e *AuditEntry, from DocumentStatus, d Document) (written bool, err error) {
	update, values := "SET #status = :to", ddb.Item{":from": ddb.Str(from), ":to": ddb.Str(d.Status)}
	if d.ProcessingResults != nil {
		update += ", processingResults = :results"
		values[":results"] = ddb.Object(resultsItem(d.ProcessingResults))
	}
	unmet, err := s.write(ctx, e, types.TransactWriteItem{
		Update: s.change(caseKey(d.VerificationID), documentKey(d.DocumentID), update, "#status = :from", values),
	})
	return err == nil && len(unmet) == 0, err
}

// removeDocument deletes what is known of a document. One that is gone already is no error.
func (s *store) removeDocument(ctx context.Context, id CaseID, doc DocumentID) error {
	_, err := s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: s.table, Key: primary(caseKey(id), documentKey(doc))})
	return ddb.Failure(err)
}
