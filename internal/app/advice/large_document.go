package advice

import "github.com/tabletop-db/tabletop/internal/util/thousands"

// largeDocument finds documents that come near the size limit of Cosmos DB: the next property or array element makes
// writes fail.
var largeDocument = Rule{
	ID:     "large-document",
	Title:  "documents near the size limit",
	Source: "https://learn.microsoft.com/en-us/azure/cosmos-db/concepts-limits",
	watch: func(*Review) watcher {
		return cosmosDB{&largeDocuments{of: map[string]*large{}}}
	},
}

// The sizes of a document in bytes of JSON: the limit, and from which on it is large.
const (
	maxDocument       = 2 << 20
	largeDocumentSize = 3 << 19
)

type largeDocuments struct {
	of map[string]*large // by container
}

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
	if bytes < largeDocumentSize {
		return
	}
	name := r.container()
	t := l.of[name]
	if t == nil {
		t = &large{finding: Finding{Table: name}}
		l.of[name] = t
	}
	t.most = max(t.most, bytes)
	t.finding.show(r, thousands.Sprintf("has a document of %d KB", bytes>>10))
}

func (l *largeDocuments) conclude() []Finding {
	var all []Finding
	for _, t := range l.of {
		f := t.finding
		f.Problem = thousands.Sprintf("documents of up to %d KB: writes fail from %d KB on, and each small update costs as "+
			"many RU as writing the whole document", t.most>>10, maxDocument>>10)
		f.Remedy = "Split the document into several of one partition key, or keep large parts in Azure Blob Storage and their " +
			"addresses in the document"
		all = append(all, f)
	}
	return all
}
