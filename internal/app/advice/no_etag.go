package advice

import (
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// noETag finds programs that read a document of Cosmos DB, change a part of it and replace it without If-Match: what
// another program writes in between is lost. A replacement that keeps little of what was read does not depend on it,
// and is no finding.
var noETag = Rule{
	ID:    "no-etag",
	Title: "documents that are read, changed and replaced without If-Match",
	Source: "https://learn.microsoft.com/en-us/azure/cosmos-db/nosql/" +
		"database-transactions-optimistic-concurrency",
	watch: func(*Review) watcher {
		return cosmosDB{&replacements{reads: map[string]*Request{}, of: map[string]*replacement{}}}
	},
}

const (
	fewReplacements = 3
	keptShare       = 0.5 // of the properties that were read, at least, are written back
	derivedShare    = 0.9 // of the replacements, at least, depend on a read
	maxDocuments    = 10000
)

type replacements struct {
	reads map[string]*Request     // by program and path: the last read before the next write
	of    map[string]*replacement // by container
}

// replacement is the replacements in a container without If-Match.
type replacement struct {
	finding Finding
	all     int // also those that do not depend on a read
}

func (s *replacements) see(r *Request) {
	if !r.Done() || r.document() == "" {
		return
	}
	id := r.program() + "\x00" + r.Path + "\x00" + r.partitionKey()
	switch r.Operation {
	case "ReadDocument":
		if len(s.reads) > maxDocuments {
			clear(s.reads)
		}
		s.reads[id] = r
	case "ReplaceDocument":
		if r.Headers["if-match"] == "" {
			s.replace(r, s.reads[id])
		}
		delete(s.reads, id)
	}
}

func (s *replacements) replace(r, read *Request) {
	name := r.container()
	t := s.of[name]
	if t == nil {
		t = &replacement{finding: Finding{Table: name}}
		s.of[name] = t
	}
	t.all++
	if read != nil && derived(read.Result, r.Body) {
		t.finding.show(r, thousands.Sprintf("replaces what request #%d read", read.N))
	}
}

// derived reports whether a document keeps most of another one, but not all.
func derived(read, written map[string]any) bool {
	kept, all := 0, 0
	for name, value := range read {
		if strings.HasPrefix(name, "_") || name == "id" {
			continue
		}
		all++
		if jsonText(written[name]) == jsonText(value) {
			kept++
		}
	}
	return kept > 0 && float64(kept) >= keptShare*float64(all) && !(kept == all && len(written) <= all+1)
}

func (s *replacements) conclude() []Finding {
	var all []Finding
	for _, t := range s.of {
		f := t.finding
		if f.Times < fewReplacements || float64(f.Times) < derivedShare*float64(t.all) {
			continue
		}
		f.Problem = thousands.Sprintf("%d documents are read, changed and replaced without If-Match: a change that another "+
			"program makes in between is lost", f.Times)
		f.Remedy = "Send the ETag of the read, and on status 412 read again; or change single properties with PatchItem:\n" +
			"container.ReplaceItem(ctx, partitionKey, id, item, &azcosmos.ItemOptions{IfMatchEtag: &read.ETag})"
		all = append(all, f)
	}
	return all
}
