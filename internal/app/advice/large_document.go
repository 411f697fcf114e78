package advice

import "github.com/tabletop-db/tabletop/internal/util/thousands"

// largeDocument finds documents that come near the size limit of Cosmos DB: the next property or array element makes
// writes fail.
var largeDocument = Rule{
	ID:     "large-document",
	Title:  "documents near the size limit",
	Source: "https://learn.microsoft.com/en-us/azure/cosmos-db/concepts-limits",
	watch: func(*Review) watcher {
		return cosmosDB{&largeDocuments{oversized{}}}
	},
}

// The sizes of a document in bytes of JSON: the limit, and from which on it is large.
const (
	maxDocument       = 2 << 20
	largeDocumentSize = 3 << 19
)

type largeDocuments struct{ found oversized }

func (l *largeDocuments) see(r *Request) {
	if !r.Done() {
		return
	}
	bytes := 0
	switch r.Operation {
	case "CreateDocument", "UpsertDocument", "ReplaceDocument":
		bytes = len(r.Entry.Body())
	case "ReadDocument":
		bytes = len(r.Answer)
	}
	if bytes >= largeDocumentSize {
		l.found.add(r, r.container(), bytes, "has a document of %d KB")
	}
}

func (l *largeDocuments) conclude() []Finding {
	return l.found.findings(func(most int) string {
		return thousands.Sprintf("documents of up to %d KB: writes fail from %d KB on, and each small update costs as many RU "+
			"as writing the whole document", most>>10, maxDocument>>10)
	}, "Split the document into several of one partition key, or keep large parts in Azure Blob Storage and their "+
		"addresses in the document")
}
