package steps

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/features/wire"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// want is a step's description of a call. Anything that the step leaves out matches, except for the index: a step
// without one means the table itself.
type want struct {
	text, operation, table, index  string
	key, condition, update, filter *string
	descending, consistent         *bool
	limit                          *int32
	item                           Item // the item to write; not used in assertions
}

var (
	wantOperation = lazyregexp.New(`^(\w+)`)
	wantClause    = lazyregexp.New(`^(?: of index "([^"]*)"| of "([^"]*)"| (where) "([^"]*)"` +
		`|, (only if|setting|filtered by) "([^"]*)"|, (descending|ascending|consistent|eventually consistent)|, limit (\d+))`)
)

// parseWant parses a description such as: Query of index "gsi1" of "devices" where "…", descending, limit 2. A put
// has its item: PutItem of "devices" with {"id": "7"}, only if "…".
func parseWant(text string) (want, error) {
	w := want{text: text, operation: wantOperation.FindString(text)}
	for rest := text[len(w.operation):]; rest != ""; {
		if body, ok := strings.CutPrefix(rest, " with {"); ok {
			var err error
			if w.item, rest, err = plainItem("{" + body); err != nil {
				return w, err
			}
			continue
		}
		m := wantClause.FindStringSubmatch(rest)
		if m == nil {
			return w, fmt.Errorf("cannot read %q as part of a request", rest)
		}
		w.clause(m)
		rest = rest[len(m[0]):]
	}
	return w, nil
}

func (w *want) clause(m []string) {
	yes, no := true, false
	switch {
	case m[1] != "":
		w.index = m[1]
	case m[2] != "":
		w.table = m[2]
	case m[3] != "":
		w.key = &m[4]
	case m[5] == "only if":
		w.condition = &m[6]
	case m[5] == "setting":
		w.update = &m[6]
	case m[5] == "filtered by":
		w.filter = &m[6]
	case m[7] == "descending":
		w.descending = &yes
	case m[7] == "ascending":
		w.descending = &no
	case m[7] == "consistent":
		w.consistent = &yes
	case m[7] == "eventually consistent":
		w.consistent = &no
	case m[8] != "":
		n, _ := strconv.ParseInt(m[8], 10, 32) // digits only
		limit := int32(n)
		w.limit = &limit
	}
}

func (w want) matches(c wire.Call) bool {
	return w.operation == c.Operation && w.table == c.Table && w.index == c.Index &&
		same(w.key, c.Key) && same(w.condition, c.Condition) && same(w.filter, c.Filter) &&
		same(w.descending, c.Descending) && same(w.consistent, c.Consistent) && same(w.limit, c.Limit) &&
		(w.update == nil || strings.Contains(c.Update, *w.update))
}

func (w want) matchesAction(a wire.Action) bool {
	return w.operation == a.Operation && w.table == a.Table && same(w.key, a.Key) &&
		same(w.condition, a.Condition) && (w.update == nil || strings.Contains(a.Update, *w.update))
}

func same[T comparable](want *T, got T) bool { return want == nil || *want == got }
