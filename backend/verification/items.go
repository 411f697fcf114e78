package verification

import "github.com/tabletop-db/tabletop/backend/internal/ddb"

// Conversion between the types of the model and items, by dynamodbav tags, and the attributes that only items have.

// itemKey is the primary key of an item.
type itemKey struct{ PK, SK string }

// record is a case as stored, with sealed contact data; the Case in it has none.
type record struct {
	Case
	email, phone string // sealed
	documents    int64  // number of documents, by which concurrent requests detect each other
}

// caseRecord is the item of a case.
type caseRecord struct {
	itemKey
	Case
	Customer                       customer `dynamodbav:"customerMetadata"`
	GSI1PK, GSI1SK, GSI2PK, GSI2SK string
	TTL                            int64 `dynamodbav:"ttl"`
	Documents                      int64 `dynamodbav:"documentCount"`
}

// customer is the stored form of CustomerMetadata, with sealed email and phone.
type customer struct {
	CustomerMetadata
	Email string `dynamodbav:"email,omitempty"`
	Phone string `dynamodbav:"phone,omitempty"`
}

func caseItem(c record) ddb.Item {
	return ddb.Marshal(caseRecord{
		itemKey{caseKey(c.VerificationID), meta}, c.Case, customer{c.CustomerMetadata, c.email, c.phone},
		clientKey(c.ClientID), c.statusSort(), dateKey(c.day()), c.dateSort(), c.ttl(), c.documents,
	})
}

func caseOf(in ddb.Item) record {
	var c caseRecord
	ddb.Unmarshal(in, &c)
	c.CustomerMetadata = c.Customer.CustomerMetadata
	return record{c.Case, c.Customer.Email, c.Customer.Phone, c.Documents}
}

func documentItem(d Document, ttl int64) ddb.Item {
	return ddb.Marshal(struct {
		itemKey
		Document
		TTL int64 `dynamodbav:"ttl"`
	}{itemKey{caseKey(d.VerificationID), documentKey(d.DocumentID)}, d, ttl})
}

func documentOf(in ddb.Item) (d Document) {
	ddb.Unmarshal(in, &d)
	return d
}

// entryRecord is the item of an audit entry.
type entryRecord struct {
	itemKey
	AuditEntry
	GSI3PK, GSI3SK string
	TTL            int64 `dynamodbav:"ttl"`
}

func entryItem(e AuditEntry) ddb.Item {
	return ddb.Marshal(entryRecord{itemKey{auditKey(e.day()), e.sortKey()}, e, userKey(e.UserID), e.sortKey(), e.ttl})
}

func entryOf(in ddb.Item) AuditEntry {
	var e entryRecord
	ddb.Unmarshal(in, &e)
	e.ttl = e.TTL
	return e.AuditEntry
}

// keyRecord is an API key as stored: its public record and the hash of its secret, which never leaves the service.
type keyRecord struct {
	APIKey
	Hash string `dynamodbav:"hash"`
}

func keyItem(k keyRecord) ddb.Item {
	return ddb.Marshal(struct {
		itemKey
		keyRecord
		GSI1PK, GSI1SK string
	}{itemKey{apiKeyKey(k.KeyID), meta}, k, partitionKeys, string(k.CreatedAt) + "#" + k.KeyID})
}

func keyOf(in ddb.Item) (k keyRecord) {
	ddb.Unmarshal(in, &k)
	return k
}

// session is a session as stored.
type session struct {
	ID      string    `dynamodbav:"sessionId"`
	KeyID   string    `dynamodbav:"keyId"`
	Hash    string    `dynamodbav:"hash"`
	Client  ClientID  `dynamodbav:"clientId"`
	Created Timestamp `dynamodbav:"createdAt"`
	Ends    Timestamp `dynamodbav:"expiresAt"`
	Active  bool      `dynamodbav:"isActive"`
}

func sessionItem(n session) ddb.Item {
	return ddb.Marshal(struct {
		itemKey
		session
		TTL int64 `dynamodbav:"ttl"`
	}{itemKey{sessionKey(n.ID), meta}, n, n.Ends.time().Unix()})
}

func sessionOf(in ddb.Item) (n session) {
	ddb.Unmarshal(in, &n)
	return n
}

// keysetRecord is the item of the wrapped keyset.
type keysetRecord struct {
	itemKey
	Keyset  []byte `dynamodbav:"keyset"`
	Version int64  `dynamodbav:"version"`
}
