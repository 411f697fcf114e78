package verification

import (
	"math"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/verification/uploads"
)

// Requests and responses beyond the types of model.go.

type newCase struct {
	DocumentType     DocumentType     `json:"documentType"`
	CustomerMetadata CustomerMetadata `json:"customerMetadata"`
}

type caseRequest struct {
	idempotency.Header // VR-R11
	Body               newCase
}

type casePath struct {
	VerificationID CaseID `path:"verificationId"`
}

type documentPath struct {
	VerificationID CaseID     `path:"verificationId"`
	DocumentID     DocumentID `path:"documentId"`
}

type newDocument struct {
	DocumentType DocumentSide `json:"documentType" doc:"A side of the case's document type, or selfie"`
	FileSize     int64        `json:"fileSize" minimum:"1" maximum:"10485760" doc:"Bytes" example:"482133"`
	MimeType     MimeType     `json:"mimeType"`
	SHA256       string       `json:"sha256,omitempty" pattern:"^[0-9a-f]{64}$" patternDescription:"64 hex digits" example:"5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"`
}

type documentRequest struct {
	idempotency.Header        // VR-R11
	VerificationID     CaseID `path:"verificationId"`
	Body               newDocument
}

type documentUpload struct {
	Document Document `json:"document"`
	Upload   *upload  `json:"upload,omitempty" doc:"Absent in a repeat when the file is uploaded or no longer expected"`
}

func newDocumentUpload(a announcement) documentUpload {
	if a.target == nil {
		return documentUpload{Document: a.Document}
	}
	u := newUpload(*a.target)
	return documentUpload{a.Document, &u}
}

// upload is where the client sends the file.
type upload struct {
	Method    string            `json:"method" example:"PUT"`
	URL       string            `json:"url" doc:"Relative to this server when it has no host"`
	Headers   map[string]string `json:"headers" doc:"Send all of these headers"`
	ExpiresAt Timestamp         `json:"expiresAt"`
}

func newUpload(t uploads.Target) upload {
	u := upload{Method: t.Method, URL: t.URL, Headers: map[string]string{}, ExpiresAt: timestamp(t.ExpiresAt)}
	for name := range t.Header {
		u.Headers[name] = t.Header.Get(name)
	}
	return u
}

type transition struct {
	To             Status `json:"to"`
	Reason         string `json:"reason,omitempty" pattern:"^[a-z][a-z0-9_]{0,63}$" patternDescription:"a code of up to 64 lowercase letters, digits and _" doc:"Stored in the audit trail, which contains no free text" example:"document_unreadable"`
	ExpectedStatus Status `json:"expectedStatus,omitempty" doc:"Fail with 409 if the case has another status"`
}

type transitionRequest struct {
	VerificationID CaseID `path:"verificationId"`
	Body           transition
}

type documentReview struct {
	Status            DocumentStatus     `json:"status"`
	ProcessingResults map[string]float64 `json:"processingResults,omitempty" maxProperties:"50" doc:"Scores by name; do not send data read from the document"`
}

// Resolve rejects scores that DynamoDB cannot represent.
func (j *documentReview) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	var errs []error
	for name, score := range j.ProcessingResults {
		if size := math.Abs(score); score != 0 && (size < 1e-130 || size >= 1e126) {
			errs = append(errs, &huma.ErrorDetail{Location: at.With("processingResults." + name),
				Message: "must be 0, or from 1E-130 to below 1E+126", Value: score})
		}
	}
	return errs
}

type documentStatusRequest struct {
	VerificationID CaseID     `path:"verificationId"`
	DocumentID     DocumentID `path:"documentId"`
	Body           documentReview
}

type casesQuery struct {
	Status Status `query:"status" doc:"Only cases of this status"`
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"50" doc:"Maximum number of entries per page"`
	Cursor string `query:"cursor" maxLength:"2000" doc:"nextCursor of the previous page"`
}

type dayQuery struct {
	Date   string `query:"date" required:"true" format:"date" pattern:"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$" patternDescription:"a day in UTC" doc:"The day on which the cases were created" example:"2026-01-14"`
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"50" doc:"Maximum number of entries per page"`
	Cursor string `query:"cursor" maxLength:"2000" doc:"nextCursor of the previous page"`
}

type auditQuery struct {
	User   string `query:"user" maxLength:"255" pattern:"^[A-Za-z0-9_.:|+=-]+$" patternDescription:"a user's id" doc:"Entries of one user; required unless date is set" example:"client_xyz789"`
	Date   string `query:"date" format:"date" pattern:"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$" patternDescription:"a day in UTC" doc:"Entries of one day; required unless user is set" example:"2026-01-14"`
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"50" doc:"Maximum number of entries per page"`
	Cursor string `query:"cursor" maxLength:"2000" doc:"nextCursor of the previous page"`
}

type pageQuery struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"50" doc:"Maximum number of entries per page"`
	Cursor string `query:"cursor" maxLength:"2000" doc:"nextCursor of the previous page"`
}

type keyRequest struct {
	ClientID    ClientID `json:"clientId,omitempty" doc:"The existing client; default: a new client"`
	Description string   `json:"description,omitempty" maxLength:"200" example:"onboarding site"`
}

type apiKeyRequest struct {
	idempotency.Header // VR-R11
	Body               keyRequest
}

type newKey struct {
	APIKey
	Raw string `json:"apiKey,omitempty" doc:"The key; only in this response, not in that of a repeat" example:"key_7c9e6679-7425-40de-944b-e07fc1f90ae7.5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"`
}

type newSession struct {
	SessionID string    `json:"sessionId" example:"ses_7c9e6679-7425-40de-944b-e07fc1f90ae7"`
	Token     string    `json:"token,omitempty" doc:"Only in this response, not in that of a repeat" example:"ses_7c9e6679-7425-40de-944b-e07fc1f90ae7.5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"`
	ExpiresAt Timestamp `json:"expiresAt"`
}

type keyPath struct {
	KeyID string `path:"keyId" pattern:"^key_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$" patternDescription:"key_ and a UUID of version 4"`
}

type casePage struct {
	Cases      []Case `json:"cases" nullable:"false"`
	NextCursor string `json:"nextCursor,omitempty" doc:"Absent on the last page; the next page may be empty"`
}

type documentList struct {
	Documents []Document `json:"documents" nullable:"false"`
}

type auditPage struct {
	Entries    []AuditEntry `json:"entries" nullable:"false"`
	NextCursor string       `json:"nextCursor,omitempty" doc:"Absent on the last page; the next page may be empty"`
}

type keyPage struct {
	APIKeys    []APIKey `json:"apiKeys" nullable:"false"`
	NextCursor string   `json:"nextCursor,omitempty" doc:"Absent on the last page; the next page may be empty"`
}

type health struct {
	Status string `json:"status" example:"ok"`
	Schema string `json:"schema" doc:"Version of the schema document" example:"1.0.0"`
	Region string `json:"region" example:"af-south-1"`
}
