package verification

import "github.com/tabletop-db/tabletop/backend/internal/ddb"

// Names of the indexes, as documented.
const (
	indexClient = "GSI1"
	indexDate   = "GSI2"
	indexUser   = "GSI3"
)

// Prefixes of keys. No id contains the separator #.
const (
	prefixCase     = "CASE#"
	prefixDocument = "DOC#"
	prefixClient   = "CLIENT#"
	prefixDate     = "DATE#"
	prefixAudit    = "AUDIT#"
	prefixUser     = "USER#"
	prefixAPIKey   = "APIKEY#"
	prefixSession  = "SESSION#"
	prefixMarker   = "IDEM#"

	// meta is the sort key of items that have a partition of their own.
	meta = "META"
	// partitionKeys is the partition of GSI1 that lists API keys. The document has no pattern for this, but the index
	// exists.
	partitionKeys = "APIKEYS"
	// keysetKey is the partition of the keyset that seals customers' contact data.
	keysetKey = "KEYSET#customerMetadata"

	patternAuditSort = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z#evt_` + uuidV4 + `$`
)

// primaryKey returns the primary key of an item.
func primaryKey(pk, sk string) ddb.Item { return ddb.Item{"PK": ddb.Str(pk), "SK": ddb.Str(sk)} }

// The keys of the table. In GSI1SK, a status is always followed by '#': begins_with a status alone would also match
// statuses that start with it (VR-D3).
func caseKey(id CaseID) string         { return prefixCase + string(id) }
func documentKey(id DocumentID) string { return prefixDocument + string(id) }
func clientKey(id ClientID) string     { return prefixClient + string(id) }
func dateKey(day string) string        { return prefixDate + day }
func statusKey(s Status) string        { return string(s) + "#" }
func (c Case) statusSort() string      { return statusKey(c.Status) + string(c.CreatedAt) }
func (c Case) day() string             { return string(c.CreatedAt[:len(dayLayout)]) }
func (c Case) dateSort() string        { return string(c.CreatedAt) + "#" + string(c.VerificationID) }

func auditKey(day string) string     { return prefixAudit + day }
func userKey(user string) string     { return prefixUser + user }
func (e AuditEntry) day() string     { return e.At[:len(dayLayout)] }
func (e AuditEntry) sortKey() string { return e.At + "#" + e.EventID }

func apiKeyKey(id string) string        { return prefixAPIKey + id }
func sessionKey(id string) string       { return prefixSession + id }
func markerKey(user, key string) string { return prefixMarker + user + "#" + key }
