package cosmos

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/tracing"
)

// FaultScope returns the operations that fault rules can match, by action. Hold matches none: transactions of a logical
// partition are serialized and never rejected because of one another. Unprocessed matches none: a batch has no
// unprocessed operations.
func FaultScope() faults.Scope {
	s := faults.Scope{Only: map[faults.Action][]string{faults.Hold: nil, faults.Unprocessed: nil,
		faults.Stale:     readsOfItems,
		faults.Conflict:  writesOfItems,
		faults.ShortPage: pagesOfItems,
		faults.Redeliver: {"ListDocuments"}}}
	for _, op := range handlers {
		s.Operations = append(s.Operations, op.name)
	}
	return s
}

// subject returns the description of the request for fault rules, in which containers are called tables.
func (x *exchange) subject() *faults.Request {
	s := &faults.Request{Operation: x.Operation, Client: x.Header("User-Agent"), Body: x.Body,
		Trace:     tracing.Header(x.r.Header),
		Eventual:  slices.Contains(readsOfItems, x.Operation),
		Writes:    slices.Contains(writesOfItems, x.Operation),
		Conflicts: slices.Contains(writesOfItems, x.Operation),
		Pages:     slices.Contains(pagesOfItems, x.Operation),
		Stream:    x.readsLatestVersions()}
	s.Transaction = s.Conflicts
	if x.Route.ID(1) != "" && x.Route.IDs != nil {
		s.Resources = []faults.Resource{{Table: x.Route.ID(1), Partition: x.keyForFaults(), Sort: x.itemForFaults()}}
	}
	return s
}

// readsOfItems are the operations that read items from a replica.
var readsOfItems = []string{"ListDocuments", "QueryDocuments", "ReadDocument"}

// pagesOfItems are the operations that return pages of items.
var pagesOfItems = []string{"ListDocuments", "QueryDocuments"}

// writesOfItems are the operations that Cosmos DB refuses with 449 while they conflict with others ("HTTP status codes
// for Azure Cosmos DB": only write operations).
var writesOfItems = []string{"BatchDocuments", "CreateDocument", "DeleteDocument", "ExecuteStoredProcedure",
	"PatchDocument", "ReplaceDocument"}

// readsLatestVersions reports whether the request reads the change feed in latest version mode, from its beginning or
// from where an earlier page ended.
func (x *exchange) readsLatestVersions() bool {
	return x.Operation == "ListDocuments" && strings.EqualFold(x.Header("A-Im"), "Incremental Feed") &&
		x.Header("If-Modified-Since") == "" && x.Header("If-None-Match") != "*"
}

// keyForFaults returns the partition key as a rule writes it: a string as it is, other values as JSON.
func (x *exchange) keyForFaults() string {
	key, err := x.HeaderKey()
	if err != nil || len(key) != 1 {
		return key.String()
	}
	if text := key[0].Str(); text != "" {
		return text
	}
	return key[0].JSON()
}

func (x *exchange) itemForFaults() string {
	if x.Route.Kind == wire.KindItem {
		return x.Route.ID(2)
	}
	return ""
}
