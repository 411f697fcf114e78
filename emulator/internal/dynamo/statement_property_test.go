package dynamo

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

const statementTable = `{"TableName":"items","BillingMode":"PAY_PER_REQUEST",
	"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
	"LocalSecondaryIndexes":[{"IndexName":"by-a","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
		{"AttributeName":"a","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}]}`

// openStatementService returns a service with a table that has some items.
func openStatementService(t *testing.T) *Service {
	t.Helper()
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	mustRun(t, s, "CreateTable", strings.Replace(statementTable, `{"AttributeName":"sk"`,
		`{"AttributeName":"a","AttributeType":"N"},{"AttributeName":"sk"`, 1))
	for i := range 24 {
		mustRun(t, s, "PutItem", fmt.Sprintf(`{"TableName":"items","Item":{"pk":{"S":"%c"},"sk":{"N":"%d"},"a":{"N":"%d"},
			"b":{"BOOL":%v},"t":{"S":"t%d"}}}`, 'a'+i%3, i/3, i%5, i%2 == 0, i%4))
	}
	return s
}

// selectItems returns the items of a SELECT as sorted texts, or the message of its error.
func selectItems(s *Service, source, where string) (items []string, refused string) {
	body, _ := json.Marshal(map[string]string{"Statement": "SELECT * FROM " + source + " WHERE " + where})
	answer, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), "ExecuteStatement", body, nil)
	if err != nil {
		return nil, err.Error()
	}
	var out struct{ Items []json.RawMessage }
	if err := json.Unmarshal(answer, &out); err != nil {
		return nil, err.Error()
	}
	for _, it := range out.Items {
		items = append(items, string(it))
	}
	slices.Sort(items)
	return items, ""
}

// TestStatementsReadByKeyWhatAScanFinds compares random SELECTs with the same condition behind two NOTs, for which the
// table is scanned: the choice of keys must not change what is found.
func TestStatementsReadByKeyWhatAScanFinds(t *testing.T) {
	t.Parallel()
	s := openStatementService(t)
	rng := rand.New(rand.NewPCG(15, 1))
	compared := 0
	for range 1500 {
		where := randomCondition(rng, 3)
		for _, source := range []string{"items", `items."by-a"`} {
			found, refused := selectItems(s, source, where)
			if refused != "" {
				if !strings.Contains(refused, "Overlapping conditions") && !strings.Contains(refused, "BETWEEN operator") {
					t.Fatalf("%s: %s", where, refused)
				}
				continue
			}
			compared++
			want, refused := selectItems(s, source, "NOT (NOT ("+where+"))")
			if refused != "" {
				t.Fatalf("NOT (NOT (%s)): %s", where, refused)
			}
			if !slices.Equal(found, want) {
				t.Fatalf("%s WHERE %s\nfinds %v\na scan finds %v", source, where, found, want)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d conditions were compared", compared)
	}
}

func randomCondition(rng *rand.Rand, depth int) string {
	if depth > 0 {
		switch rng.IntN(6) {
		case 0, 1:
			return randomCondition(rng, depth-1) + " AND " + randomCondition(rng, depth-1)
		case 2:
			return "(" + randomCondition(rng, depth-1) + " OR " + randomCondition(rng, depth-1) + ")"
		case 3:
			return "NOT " + randomCondition(rng, 0)
		}
	}
	n := rng.IntN(9)
	return []string{
		fmt.Sprintf("pk = '%c'", 'a'+rng.IntN(3)),
		fmt.Sprintf("pk = '%c'", 'a'+rng.IntN(3)),
		fmt.Sprintf("pk IN ['%c', 'c']", 'a'+rng.IntN(2)),
		fmt.Sprintf("sk %s %d", []string{"=", "<", "<=", ">", ">=", "<>"}[rng.IntN(6)], n),
		fmt.Sprintf("sk BETWEEN %d AND %d", n, n+rng.IntN(4)),
		fmt.Sprintf("sk IN [%d, %d]", n, n+2),
		fmt.Sprintf("%d %s a", n%5, []string{"=", "<", ">="}[rng.IntN(3)]),
		"b = true", "begins_with(t, 't1')", "size(t) = 2", "attribute_exists(nope)",
	}[rng.IntN(11)]
}

// FuzzStatement expects that statements fail only with client errors, and that responses are JSON.
func FuzzStatement(f *testing.F) {
	for _, text := range []string{"SELECT * FROM items WHERE pk = 'a' AND sk > 1 ORDER BY sk DESC",
		"SELECT t, b FROM items.\"by-a\" WHERE pk IN ['a', 'b']", "INSERT INTO items VALUE {'pk': 'z', 'sk': 1}",
		"UPDATE items SET a = a + 1 SET x = list_append(x, [1]) REMOVE b WHERE pk = 'a' AND sk = 1 RETURNING ALL NEW *",
		"DELETE FROM items WHERE pk = 'a' AND sk = 1 AND b IS MISSING", "FROM items WHERE pk = 'a' AND sk = 2 SET a = 1",
		"EXISTS(SELECT * FROM items WHERE pk = 'a' AND sk = 1 AND a = 2)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 8192 {
			return
		}
		s := openStatementService(t)
		statement, _ := json.Marshal(text)
		parameters := `[{"S":"a"},{"N":"1"},{"L":[{"N":"1"}]},{"SS":["x"]},{"M":{}}]`
		for operation, body := range map[string]string{
			"ExecuteStatement":      `{"Statement":%s,"Parameters":%s,"Limit":3,"ReturnConsumedCapacity":"INDEXES"}`,
			"BatchExecuteStatement": `{"Statements":[{"Statement":%s,"Parameters":%s}],"ReturnConsumedCapacity":"INDEXES"}`,
			"ExecuteTransaction":    `{"TransactStatements":[{"Statement":%s,"Parameters":%s}],"ClientRequestToken":"t"}`,
		} {
			answer, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), operation,
				fmt.Appendf(nil, body, statement, parameters), nil)
			if err == nil && !json.Valid(answer) {
				t.Fatalf("%s: the answer is not JSON: %s", operation, answer)
			}
			var e *wire.Error
			if err != nil && (!errors.As(err, &e) || e.Status >= http.StatusInternalServerError) {
				t.Fatalf("%s %s: %T %v", operation, text, err, err)
			}
		}
	})
}
