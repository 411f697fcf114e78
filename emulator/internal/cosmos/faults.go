package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
)

// FaultScope is what the rules of faults can do to Cosmos DB's operations. There is nothing to hold a write for: those
// of a logical partition run one after the other, and none is refused for another. A batch has no parts undone.
func FaultScope() faults.Scope {
	s := faults.Scope{Only: map[faults.Action][]string{faults.Hold: nil, faults.Unprocessed: nil,
		faults.Stale: {"ListDocuments", "QueryDocuments", "ReadDocument"}}}
	for _, op := range handlers {
		s.Operations = append(s.Operations, op.name)
	}
	return s
}

// subject describes the request to the rules of faults. A container is a table to them.
func (x *exchange) subject() *faults.Subject {
	s := &faults.Subject{Operation: x.Operation, Eventual: x.r.Method == http.MethodGet || x.Form() == wire.QueryForm}
	if x.Route.ID(1) != "" && x.Route.IDs != nil {
		s.Touches = []faults.Touch{{Table: x.Route.ID(1), Partition: x.keyForFaults(), Sort: x.itemForFaults()}}
	}
	return s
}

// keyForFaults is the partition key as a rule names it: a string as it is, anything else as JSON.
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
