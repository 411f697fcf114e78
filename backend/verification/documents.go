package verification

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/internal/web"
	"github.com/tabletop-db/tabletop/backend/verification/uploads"
)

// maxDocuments is the maximum number of documents of a case.
const maxDocuments = 20

// announcement is an announced document and where to send its file; nil when the file has arrived or is no longer
// expected.
type announcement struct {
	Document
	target *uploads.Target
}

// addDocument announces a file and returns the address to send it to. The first one changes the case to
// documents_uploading. A repeat with the same Idempotency-Key returns the same document with a new address (VR-R11).
func (s *Service) addDocument(ctx context.Context, id CaseID, in newDocument, key string) (a announcement,
	replayed bool, err error) {
	err = s.audited(ctx, AuditEntry{Action: "document.add", VerificationID: id}, func(e *AuditEntry) error {
		a, replayed, err = createOnce(ctx, s, e, "add-document "+string(id), key, in,
			func(mark idempotency.Mark) (announcement, error) { return s.announceNew(ctx, e, in, mark) },
			func(ref string) (announcement, error) {
				e.DocumentID = DocumentID(ref)
				return s.existingAnnouncement(ctx, id, e.DocumentID)
			})
		return err
	})
	return a, replayed, err
}

func (s *Service) announceNew(ctx context.Context, e *AuditEntry, in newDocument, mark idempotency.Mark) (announcement,
	error) {
	r, err := s.visibleCase(ctx, e.VerificationID)
	if err != nil {
		return announcement{}, err
	}
	if err := s.checkAcceptsDocument(r, in); err != nil {
		return announcement{}, err
	}
	d, target, err := s.announce(ctx, r, in)
	if err != nil {
		return announcement{}, err
	}
	e.DocumentID, e.From, e.To = d.DocumentID, r.Status, DocumentsUploading
	next := r
	next.Status, next.UpdatedAt, next.documents = DocumentsUploading, s.now(), r.documents+1
	return announcement{d, &target}, s.store.addDocument(ctx, e, r.Status, next, d, mark)
}

// existingAnnouncement returns a document in its current state, with an address as long as its case waits for the file.
func (s *Service) existingAnnouncement(ctx context.Context, id CaseID, doc DocumentID) (announcement, error) {
	r, err := s.visibleCase(ctx, id)
	if err != nil {
		return announcement{}, err
	}
	d, found, err := s.store.document(ctx, id, doc)
	switch {
	case err != nil:
		return announcement{}, err
	case !found:
		return announcement{}, errNoDocument
	case d.Status != "" || s.atNow(r.Case).Status != DocumentsUploading:
		return announcement{Document: d}, nil
	}
	target, err := s.presign(ctx, d)
	return announcement{d, &target}, err
}

func (s *Service) checkAcceptsDocument(r record, in newDocument) error {
	c := s.atNow(r.Case)
	switch {
	case c.Status != DocumentsUploading && checkTransition(c.Status, DocumentsUploading, actorClient) != nil:
		return web.Conflict(fmt.Sprintf("the case is %s and accepts no more documents", c.Status))
	case !slices.Contains(c.DocumentType.sides(), in.DocumentType):
		return web.Invalid("body.documentType", fmt.Sprintf("must be one of %v for a case about %s", c.DocumentType.sides(),
			c.DocumentType))
	case r.documents >= maxDocuments:
		return web.Conflict(fmt.Sprintf("the case already has %d documents, the maximum", maxDocuments))
	}
	return nil
}

func (s *Service) announce(ctx context.Context, r record, in newDocument) (Document, uploads.Target, error) {
	id, err := uuid.NewRandom()
	if err != nil {
		return Document{}, uploads.Target{}, err
	}
	d := Document{
		DocumentID: DocumentID("doc_" + id.String()), VerificationID: r.VerificationID, DocumentType: in.DocumentType,
		FileSize: in.FileSize, MimeType: in.MimeType, SHA256: in.SHA256, S3Bucket: s.cfg.Uploads.Bucket(),
	}
	d.S3Key = uploads.Key(string(r.ExpiresAt[:len(dayLayout)]), string(r.VerificationID), string(d.DocumentID))
	target, err := s.presign(ctx, d)
	return d, target, err
}

// presign returns where to send the file of a document, for a limited time.
func (s *Service) presign(ctx context.Context, d Document) (uploads.Target, error) {
	target, err := s.cfg.Uploads.Presign(ctx, uploads.File{Key: d.S3Key, Size: d.FileSize, Type: string(d.MimeType),
		SHA256: d.SHA256})
	return target, uploadsError(err)
}

// renewUpload returns a new address for a document whose file has not arrived: the first address has expired, or its
// response was lost, and without the file the case could not be completed.
func (s *Service) renewUpload(ctx context.Context, id CaseID, doc DocumentID) (a announcement, err error) {
	e := AuditEntry{Action: "document.address", VerificationID: id, DocumentID: doc}
	err = s.audited(ctx, e, func(*AuditEntry) error {
		d, err := s.visibleDocument(ctx, id, doc)
		if err != nil {
			return err
		}
		if d.Status != "" {
			return web.Conflict("the document's file has already been uploaded")
		}
		target, err := s.presign(ctx, d)
		a = announcement{d, &target}
		return err
	})
	return a, err
}

// confirmUpload confirms that the announced file has arrived. It is idempotent.
func (s *Service) confirmUpload(ctx context.Context, id CaseID, doc DocumentID) (d Document, err error) {
	e := AuditEntry{Action: "document.uploaded", VerificationID: id, DocumentID: doc}
	err = s.audited(ctx, e, func(e *AuditEntry) error {
		return s.retryConflicts(ctx, func() error {
			d, err = s.visibleDocument(ctx, id, doc)
			if err != nil || d.Status != "" {
				return err
			}
			if err := s.checkFile(ctx, d); err != nil {
				return err
			}
			d.Status, d.UploadedAt = Uploaded, s.now()
			written, err := s.store.documentUploaded(ctx, e, d)
			if err == nil && !written {
				return ddb.ErrBusy // confirmed concurrently, or the case has moved on: read again
			}
			return err
		})
	})
	return d, err
}

// visibleDocument returns a document of a case that the caller may see. A document that is not confirmed requires a
// case that still waits for files.
func (s *Service) visibleDocument(ctx context.Context, id CaseID, doc DocumentID) (Document, error) {
	r, err := s.visibleCase(ctx, id)
	if err != nil {
		return Document{}, err
	}
	d, found, err := s.store.document(ctx, id, doc)
	if err == nil && !found {
		err = errNoDocument
	}
	if status := s.atNow(r.Case).Status; err == nil && d.Status == "" && status != DocumentsUploading {
		err = web.Conflict(fmt.Sprintf("the case is %s and accepts no more documents", status))
	}
	return d, err
}

// checkFile compares the file with its announcement.
func (s *Service) checkFile(ctx context.Context, d Document) error {
	file, err := s.cfg.Uploads.Stat(ctx, d.S3Key)
	switch {
	case errors.Is(err, uploads.ErrNotFound):
		return web.Conflict("the file has not been uploaded yet; send it to the document's upload URL")
	case err != nil:
		return uploadsError(err)
	case file.Size != d.FileSize || file.Type != string(d.MimeType) || d.SHA256 != "" && file.SHA256 != "" &&
		file.SHA256 != d.SHA256:
		return web.Conflict("the file differs from the announced one, so that the case cannot be completed; open another case")
	}
	return nil
}

// uploadsError wraps an error of the file store for the caller.
func uploadsError(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(web.Unavailable("the file store did not respond; send the same request again"), err)
}

// listDocuments is VR-P2.
func (s *Service) listDocuments(ctx context.Context, id CaseID) (documents []Document, err error) {
	err = s.audited(ctx, AuditEntry{Action: "document.list", VerificationID: id}, func(*AuditEntry) error {
		if _, err := s.visibleCase(ctx, id); err != nil {
			return err
		}
		documents, err = s.store.documents(ctx, id)
		return err
	})
	return documents, err
}

// documentCanBecome reports whether processing may change a document's status from one to the other (VR-R4).
func documentCanBecome(from, to DocumentStatus) bool {
	switch from {
	case Uploaded:
		return to == ProcessingDocument
	case ProcessingDocument:
		return to == Processed || to == Failed
	}
	return false
}

// setDocumentStatus changes a document's status, for a reviewer or a processor.
func (s *Service) setDocumentStatus(ctx context.Context, id CaseID, doc DocumentID,
	in documentReview) (d Document, err error) {
	e := AuditEntry{Action: "document.status", VerificationID: id, DocumentID: doc, Reference: string(in.Status)}
	err = s.audited(ctx, e, func(e *AuditEntry) error {
		return s.retryConflicts(ctx, func() error {
			var ofCase Status
			if d, ofCase, err = s.processableDocument(ctx, id, doc, in.Status); err != nil {
				return err
			}
			from := d.Status
			d.Status = in.Status
			if in.ProcessingResults != nil {
				d.ProcessingResults = in.ProcessingResults
			}
			written, err := s.store.changeDocumentStatus(ctx, e, ofCase, from, d)
			if err == nil && !written {
				return ddb.ErrBusy // another request was faster: read again, and refuse
			}
			return err
		})
	})
	return d, err
}

// processableDocument returns a document that can become to, and the stored status of its case.
func (s *Service) processableDocument(ctx context.Context, id CaseID, doc DocumentID,
	to DocumentStatus) (Document, Status, error) {
	r, err := s.visibleCase(ctx, id)
	if err != nil {
		return Document{}, "", err
	}
	d, found, err := s.store.document(ctx, id, doc)
	status := s.atNow(r.Case).Status
	switch {
	case err != nil:
		return Document{}, "", err
	case !found:
		return Document{}, "", errNoDocument
	case !status.open() || slices.Contains([]Status{Created, DocumentsUploading, DocumentsComplete}, status):
		return Document{}, "",
			web.Conflict(fmt.Sprintf("the case is %s; documents can be processed only after submission and before the decision",
				status))
	case !documentCanBecome(d.Status, to):
		return Document{}, "", web.Conflict(fmt.Sprintf("the document is %s and cannot become %s", d.Status, to))
	}
	return d, r.Status, nil
}
