package verification

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/backend/verification/pii"
)

// itemWriter stores the items of a test.
type itemWriter struct {
	*testing.T
	*store
	entries int
}

func (k *itemWriter) check(ok bool, err error) {
	k.Helper()
	if err != nil || !ok {
		k.Fatal(ok, err)
	}
}

// entry returns an entry with the fewest possible attributes.
func (k *itemWriter) entry() *AuditEntry {
	k.entries++
	return &AuditEntry{
		EventID: "evt_" + string(rune('a'+k.entries)), At: "2026-02-03T10:30:00.000Z", UserID: "acme",
		Role: RoleClient, Action: "x",
		Outcome: outcomeDone, ttl: 7,
	}
}

// TestStoredForm stores an item of each kind with all possible attributes and with the fewest possible, and changes
// some.
func TestStoredForm(t *testing.T) {
	t.Parallel()
	client, ctx := dynamodb.NewFromConfig(dbtest.Config(t)), t.Context()
	schema := Schema("stored-").Tables
	if err := tables.Create(ctx, client, schema); err != nil {
		t.Fatal(err)
	}
	s := &store{client: client, table: schema[0].Create.TableName}
	k := &itemWriter{T: t, store: s}
	full := k.entry()
	full.VerificationID, full.DocumentID, full.Reference, full.From, full.To, full.Reason = "c1", "d1", "k1", Created,
		Submitted, "blurred"
	k.check(true, s.putEntry(ctx, *full))
	k.cases()
	k.credentials()
	dbtest.CheckStoredForm(t, client, *s.table)
}

const dayOne, dayTwo = Timestamp("2026-02-03T10:30:00Z"), Timestamp("2026-02-04T10:30:00Z")

func (k *itemWriter) cases() {
	ctx := k.Context()
	c := record{Case: Case{
		VerificationID: "full", ClientID: "acme", Status: Created, DocumentType: "omang", CreatedAt: dayOne,
		UpdatedAt: dayOne, ExpiresAt: dayTwo,
		CustomerMetadata: CustomerMetadata{ExternalID: "ext", RedirectURL: "https://x.example"},
	}, email: "sealed email", phone: "sealed phone"}
	bare := record{Case: Case{VerificationID: "bare", ClientID: "acme", Status: Created, DocumentType: "omang",
		CreatedAt: dayOne, UpdatedAt: dayOne, ExpiresAt: dayTwo}}
	for _, r := range []record{c, bare} {
		k.check(true, k.createCase(ctx, k.entry(), r, nil))
	}
	c.Status, c.documents = DocumentsUploading, 1
	document := Document{
		DocumentID: "d1", VerificationID: "full", DocumentType: "omang-front", FileSize: 482133, MimeType: "image/png",
		SHA256: "ab", S3Bucket: "local", S3Key: "k",
	}
	k.check(true, k.addDocument(ctx, k.entry(), Created, c, document, nil))
	second := Document{DocumentID: "d2", VerificationID: "full", DocumentType: "omang-back", MimeType: "image/png",
		S3Bucket: "local", S3Key: "k2"}
	c.documents = 2
	k.check(true, k.addDocument(ctx, k.entry(), DocumentsUploading, c, second, nil))
	document.UploadedAt = dayTwo
	k.check(k.documentUploaded(ctx, k.entry(), document))
	document.Status, document.ProcessingResults = "processed", map[string]float64{"faceMatch": 0.98,
		"tiny": 0.0000001, "none": 0}
	k.check(k.changeDocumentStatus(ctx, k.entry(), DocumentsUploading, Uploaded, document))
	for _, step := range []Status{DocumentsComplete, Submitted, Approved} {
		from := c.Status
		c.Status, c.UpdatedAt = step, dayTwo
		if step == Approved {
			c.CompletedAt = dayTwo
		}
		k.check(k.changeCaseStatus(ctx, k.entry(), from, c))
	}
}

func (k *itemWriter) credentials() {
	ctx := k.Context()
	k.check(true, k.createKey(ctx, k.entry(), keyRecord{APIKey: APIKey{KeyID: "k1", ClientID: "acme", Description: "d",
		CreatedAt: dayOne, IsActive: true}, Hash: "h1"}, nil))
	k.check(true, k.createKey(ctx, k.entry(), keyRecord{APIKey: APIKey{KeyID: "k2", ClientID: "acme", CreatedAt: dayOne,
		IsActive: true}, Hash: "h2"}, nil))
	k.check(k.deactivate(ctx, k.entry(), apiKeyKey("k1")))
	k.check(true, k.createSession(ctx, k.entry(), session{ID: "s1", KeyID: "k1", Hash: "h3", Client: "acme",
		Created: dayOne, Ends: dayTwo, Active: true}, nil))
	keyset := keysetStore{k.store}
	k.check(keyset.SaveKeyset(ctx, pii.WrappedKeyset{Keyset: []byte{0, 1, 255}, Version: 1}))
	k.check(keyset.SaveKeyset(ctx, pii.WrappedKeyset{Keyset: []byte{0, 1, 254}, Version: 2}))
}
