package verification

import "time"

// Case is a verification case as the API shows it.
type Case struct {
	VerificationID   CaseID           `json:"verificationId" dynamodbav:"verificationId"`
	ClientID         ClientID         `json:"clientId" dynamodbav:"clientId"`
	Status           Status           `json:"status" dynamodbav:"status"`
	DocumentType     DocumentType     `json:"documentType" dynamodbav:"documentType"`
	CustomerMetadata CustomerMetadata `json:"customerMetadata" dynamodbav:"-"`
	CreatedAt        Timestamp        `json:"createdAt" dynamodbav:"createdAt"`
	UpdatedAt        Timestamp        `json:"updatedAt" dynamodbav:"updatedAt"`
	SubmittedAt      Timestamp        `json:"submittedAt,omitempty" dynamodbav:"submittedAt,omitempty"`
	CompletedAt      Timestamp        `json:"completedAt,omitempty" dynamodbav:"completedAt,omitempty" doc:"Time of the decision"`
	ExpiresAt        Timestamp        `json:"expiresAt" dynamodbav:"expiresAt" doc:"30 days after createdAt"`
}

// CustomerMetadata is a client's information about its customer. Email and Phone are stored sealed (VR-R5).
type CustomerMetadata struct {
	Email       Email       `json:"email,omitempty" dynamodbav:"-"`
	Phone       Phone       `json:"phone,omitempty" dynamodbav:"-"`
	ExternalID  ExternalID  `json:"externalId,omitempty" dynamodbav:"externalId,omitempty"`
	RedirectURL RedirectURL `json:"redirectUrl,omitempty" dynamodbav:"redirectUrl,omitempty"`
}

// Document is a file of a case.
type Document struct {
	DocumentID        DocumentID         `json:"documentId" dynamodbav:"documentId"`
	VerificationID    CaseID             `json:"verificationId" dynamodbav:"verificationId"`
	DocumentType      DocumentSide       `json:"documentType" dynamodbav:"documentType"`
	FileSize          int64              `json:"fileSize" dynamodbav:"fileSize" doc:"Bytes" example:"482133"`
	MimeType          MimeType           `json:"mimeType" dynamodbav:"mimeType"`
	SHA256            string             `json:"sha256,omitempty" dynamodbav:"sha256,omitempty" doc:"SHA-256 of the file in hex, if the client sent it"`
	S3Bucket          string             `json:"s3Bucket" dynamodbav:"s3Bucket" example:"local"`
	S3Key             string             `json:"s3Key" dynamodbav:"s3Key"`
	Status            DocumentStatus     `json:"status,omitempty" dynamodbav:"status,omitempty" doc:"Absent until the file is uploaded"`
	UploadedAt        Timestamp          `json:"uploadedAt,omitempty" dynamodbav:"uploadedAt,omitempty"`
	ProcessingResults map[string]float64 `json:"processingResults,omitempty" dynamodbav:"processingResults,omitempty" doc:"Scores by name" example:"{\"faceMatch\":0.98}"`
}

// String types of the API that have a format. Each declares its schema in the OpenAPI document.
type (
	// CaseID is ver_ and a version 4 UUID (VR-R1).
	CaseID string
	// DocumentID is doc_ and a version 4 UUID (VR-R1).
	DocumentID string
	// ClientID identifies a client of the service.
	ClientID string
	// DocumentType is the kind of identity document that a case is about (VR-R4).
	DocumentType string
	// DocumentSide is the content of a file: a side of the identity document, or the customer's face.
	DocumentSide string
	// DocumentStatus is the status of a document (VR-R4).
	DocumentStatus string
	// MimeType is the MIME type of a file.
	MimeType string
	// Email is an email address of up to 254 characters.
	Email string
	// Phone is a phone number in E.164.
	Phone string
	// ExternalID is the client's own id for its customer.
	ExternalID string
	// RedirectURL is where the client wants its customer to be sent afterwards.
	RedirectURL string
	// Timestamp is ISO 8601 in UTC with Z and whole seconds, so that text order is time order.
	Timestamp string
)

// The documented statuses of a document.
const (
	Uploaded           DocumentStatus = "uploaded"
	ProcessingDocument DocumentStatus = "processing"
	Processed          DocumentStatus = "processed"
	Failed             DocumentStatus = "failed"
)

const (
	uuidV4        = `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`
	patternCase   = `^ver_` + uuidV4 + `$`
	patternDoc    = `^doc_` + uuidV4 + `$`
	patternKey    = `^key_` + uuidV4 + `$`
	patternClient = `^client_[A-Za-z0-9]{1,48}$`
	patternTime   = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$`
	patternEmail  = `^[^\s@<>"',;:\\\x00-\x1f\x7f]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,187}[A-Za-z0-9])?$`
	patternPhone  = `^\+[1-9][0-9]{6,14}$`
	patternOther  = `^[A-Za-z0-9_.:-]{1,128}$`
	// http is only for a developer's own machine.
	patternURL = `^(?:https://[A-Za-z0-9][A-Za-z0-9.-]*|http://(?:localhost|127\.0\.0\.1))(?::[0-9]{1,5})?(?:[/?#][!-~]*)?$`

	timestampLayout = "2006-01-02T15:04:05Z"
	auditLayout     = "2006-01-02T15:04:05.000Z"
	dayLayout       = "2006-01-02"

	// Lifetime is how long a case is open (VR-R7). Both expiresAt and ttl derive from it, so that they agree; in the
	// document's sample, ttl is a year before expiresAt (VR-D1).
	Lifetime = 30 * 24 * time.Hour
)

func timestamp(t time.Time) Timestamp { return Timestamp(t.UTC().Format(timestampLayout)) }

// time parses a timestamp that the service wrote; it returns the zero time for anything else.
func (t Timestamp) time() time.Time {
	at, err := time.Parse(timestampLayout, string(t))
	if err != nil {
		return time.Time{}
	}
	return at
}

func (c Case) ttl() int64               { return c.ExpiresAt.time().Unix() }
func (c Case) overdue(t time.Time) bool { return c.Status.open() && !t.Before(c.ExpiresAt.time()) }

// sides returns the files that a kind of identity document can have (VR-R4).
func (t DocumentType) sides() []DocumentSide {
	switch t {
	case "omang", "drivers_license", "id_card":
		return []DocumentSide{DocumentSide(t) + "_front", DocumentSide(t) + "_back", "selfie"}
	case "passport":
		return []DocumentSide{"passport_photo", "selfie"}
	}
	return nil
}

func documentTypes() []any { return []any{"omang", "passport", "drivers_license", "id_card"} }

func documentSides() []any {
	var all []any
	for _, t := range documentTypes() {
		for _, side := range DocumentType(t.(string)).sides() {
			if side != "selfie" {
				all = append(all, string(side))
			}
		}
	}
	return append(all, "selfie")
}
