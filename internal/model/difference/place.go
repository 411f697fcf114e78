package difference

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// valuePath is the position of a value in a response.
type valuePath struct {
	path   string
	name   string // of the innermost member
	parent string // of the member around it
	items  bool   // whether it is within an item, where names are the user's

	documents bool // the response is Cosmos DB's
}

func (p valuePath) member(name string) valuePath {
	next := valuePath{path: name, name: name, parent: p.name, items: !p.documents && (p.items || holdsItems(p)),
		documents: p.documents}
	if p.path != "" {
		next.path = p.path + "." + name
	}
	return next
}

func (p valuePath) element(i int) valuePath {
	p.path += "[" + strconv.Itoa(i) + "]"
	return p
}

// holdsItems reports whether the members of an object at p are attributes of an item.
func holdsItems(p valuePath) bool {
	switch p.name {
	case "Item", "Items", "Attributes", "Key", "Keys", "LastEvaluatedKey", "NewImage", "OldImage", "ItemCollectionKey":
		return true
	}
	return p.parent == "Responses" // of BatchGetItem: by table
}

// isSet reports whether the array at p is compared as a set.
func (p valuePath) isSet(operation string) bool {
	if p.documents {
		return false
	}
	switch p.name {
	case "SS", "NS", "BS":
		return p.items
	case "Items":
		return !p.items && operation != "Query"
	case "AttributeDefinitions", "GlobalSecondaryIndexes", "LocalSecondaryIndexes", "NonKeyAttributes", "Tags", "Streams":
		return !p.items
	}
	return !p.items && slices.Contains([]string{"Responses", "UnprocessedItems", "ItemCollectionMetrics"}, p.parent) ||
		p.name == "Keys" && p.parent != "" && !p.items
}

// ignored reports whether values at p are not compared.
func (p valuePath) ignored(capacity bool) bool {
	return !capacity && (!p.items && !p.documents && p.name == "ConsumedCapacity" ||
		p.inBatch() && p.name == "requestCharge")
}

// inBatch reports whether p is a member of a result in a batch of Cosmos DB, whose response is an array of results.
func (p valuePath) inBatch() bool {
	return p.documents && p.parent == "" && strings.HasPrefix(p.path, "[") && strings.Count(p.path, ".") == 1
}

// isGenerated reports whether the service generates the value at p, so that only its presence is compared.
func (p valuePath) isGenerated() bool {
	switch {
	case p.items:
		return false
	case p.documents:
		return slices.Contains(systemProperties, p.name) || p.inBatch() && p.name == "eTag"
	}
	switch p.name {
	case "ClientRequestToken", "TableId", "LatestStreamLabel", "StreamLabel",
		"SequenceNumber", "StartingSequenceNumber", "EndingSequenceNumber",
		"ShardId", "ParentShardId", "eventID", "awsRegion", "NextShardIterator", "ShardIterator", "NextToken",
		"LastEvaluatedShardId", "LastEvaluatedStreamArn", "SizeEstimateRangeGB",
		"TableStatus", "IndexStatus", "ItemCount", "TableSizeBytes", "IndexSizeBytes", "BackupSizeBytes", "BackupStatus",
		"StreamStatus":
		return true
	}
	return strings.HasSuffix(p.name, "DateTime")
}

// systemProperties are what Cosmos DB adds to items and other resources: it generates them.
var systemProperties = []string{"_rid", "_self", "_etag", "_ts", "_lsn", "_metadata", "_token", "offerResourceId",
	"databaseAccountEndpoint"}

// ridLink matches the link to a resource of Cosmos DB by generated ids.
var ridLink = lazyregexp.New(`^dbs/[0-9A-Za-z+-]{6}==/`)

// Parts of an ARN that differ between runs: its origin, and creation times.
var (
	arnOrigin = lazyregexp.New(`arn:aws[a-z-]*:([a-z0-9]+):[a-z0-9-]*:[0-9]*:`)
	arnLabel  = lazyregexp.New(`/(stream|backup)/[0-9A-Za-z:.-]+`)
)

// text returns a text without the parts that differ between runs.
func (p valuePath) text(s string) string {
	if p.documents && p.path == "message" { // after the first line come ids of the request
		s, _, _ = strings.Cut(s, "\r\n")
	}
	if p.documents && p.name == "resource" && ridLink.MatchString(s) { // of an offer
		return ""
	}
	if p.items || p.documents {
		return s
	}
	if p.name == "__type" {
		if _, name, ok := strings.Cut(s, "#"); ok {
			return name
		}
		return s
	}
	if !strings.Contains(s, "arn:") {
		return s
	}
	return arnLabel.ReplaceAllString(arnOrigin.ReplaceAllString(s, "arn:aws:$1:::"), "/$1/")
}
