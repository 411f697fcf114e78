package advice

import (
	"fmt"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// transactionForOne finds transactions of one item: a write with a condition, or a strongly consistent read, does the
// same at half the units. A transaction whose size varies is no finding, and neither is one for the sake of its token:
// one with a token of the program's own, or whose update must not be done twice.
var transactionForOne = Rule{
	ID:     "transaction-for-one",
	Title:  "transactions of a single item",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html",
	watch: func(v *Review) watcher {
		return dynamoDB{&transactions{review: v, single: map[string]*singles{}, several: map[string]bool{}}}
	},
}

// fewTransactions is the number of transactions of one item that are a finding.
const fewTransactions = 3

type transactions struct {
	review  *Review
	single  map[string]*singles // by shape of the item's part
	several map[string]bool     // shapes that occur in transactions of several items
}

// singles is the transactions of one item of one shape.
type singles struct {
	finding     Finding
	kind        string
	read, write float64 // units
}

func (t *transactions) see(r *Request) {
	if r.Operation != "TransactWriteItems" && r.Operation != "TransactGetItems" || !r.Done() {
		return
	}
	if len(r.accesses) != 1 {
		for i := range r.accesses {
			t.several[r.accesses[i].shape()] = true
		}
		return
	}
	a := &r.accesses[0]
	if accumulates(a.part) && !a.conditional() || !generatedToken(r.text("ClientRequestToken")) {
		return
	}
	s := t.single[a.shape()]
	if s == nil {
		s = &singles{finding: Finding{Table: a.table}, kind: a.kind}
		t.single[a.shape()] = s
	}
	read, write := r.units()
	s.read, s.write = s.read+read, s.write+write
	s.finding.show(r, fmt.Sprintf("has one item and consumes %g units", read+write))
}

// shape returns what the accesses of one place in a program have in common.
func (a *access) shape() string {
	return strings.Join([]string{a.kind, a.table, expression(a.part, "UpdateExpression"),
		expression(a.part, "ConditionExpression")}, "\x00")
}

// uuid matches the tokens that SDKs generate for transactions without one.
var uuid = lazyregexp.New(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

func generatedToken(token string) bool { return token == "" || uuid.MatchString(token) }

func (t *transactions) conclude() []Finding {
	var all []Finding
	for shape, s := range ordered(t.single) {
		f := s.finding
		if f.Times < fewTransactions || t.several[shape] {
			continue
		}
		f.Problem = fmt.Sprintf("%d transactions of one item consume %g units instead of %g", f.Times, s.read+s.write,
			(s.read+s.write)/2)
		f.Monthly = t.review.unitsMonthly(f.Table, "", s.read/2, s.write/2)
		f.Remedy = map[string]string{
			"Get":            "Use GetItem, with ConsistentRead if the last write must be seen",
			"ConditionCheck": "Use GetItem with ConsistentRead, and check the item in the program",
		}[s.kind]
		if f.Remedy == "" {
			f.Remedy = "Use " + s.kind + "Item with the same expressions: one item is written atomically without a transaction"
		}
		all = append(all, f)
	}
	return all
}
