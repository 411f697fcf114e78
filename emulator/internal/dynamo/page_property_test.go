package dynamo

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"pgregory.net/rapid"
)

// TestPagesAgainstModel compares Query and Scan with a sorted slice of items that is searched linearly.
func TestPagesAgainstModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := newModel(t)
		for range rapid.IntRange(1, 40).Draw(t, "puts") {
			m.put(t)
		}
		for range 5 {
			m.checkQuery(t)
			m.checkScan(t)
		}
	})
}

// modelItem is an item of the model. The table's key is pk and sk, the global index's gpk and gsk, the local index's pk
// and gsk. Two more global indexes have gpk, pk and gsk: one has two partition key attributes, the other two sort key
// attributes. An item without gsk is in no index. The filter uses kind.
type modelItem struct{ pk, sk, gpk, gsk, kind string }

// model is a table whose sort keys all have the type typ.
type model struct {
	service *Service
	account *engine.Account
	typ     string
	items   []modelItem
}

func newModel(t *rapid.T) *model {
	service := newService(t)
	m := &model{service: service, account: service.engine.SharedAccount.Load(),
		typ: rapid.SampledFrom([]string{"S", "N", "B"}).Draw(t, "type")}
	m.call(t, "CreateTable", nil, `{"TableName":"table","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[
		{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"%s"},
		{"AttributeName":"gpk","AttributeType":"S"},{"AttributeName":"gsk","AttributeType":"%s"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"GlobalSecondaryIndexes":[{"IndexName":"global","Projection":{"ProjectionType":"ALL"},
			"KeySchema":[{"AttributeName":"gpk","KeyType":"HASH"},{"AttributeName":"gsk","KeyType":"RANGE"}]},
			{"IndexName":"pair","Projection":{"ProjectionType":"ALL"},"KeySchema":[{"AttributeName":"gpk","KeyType":"HASH"},
			{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"gsk","KeyType":"RANGE"}]},
			{"IndexName":"nested","Projection":{"ProjectionType":"ALL"},"KeySchema":[{"AttributeName":"gpk","KeyType":"HASH"},
			{"AttributeName":"pk","KeyType":"RANGE"},{"AttributeName":"gsk","KeyType":"RANGE"}]}],
		"LocalSecondaryIndexes":[{"IndexName":"local","Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["kind"]},
			"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"gsk","KeyType":"RANGE"}]}]}`, m.typ, m.typ)
	return m
}

// pageAnswer is the part of a response that the test checks.
type pageAnswer struct {
	Count, ScannedCount int
	Items               []json.RawMessage
	LastEvaluatedKey    json.RawMessage
}

func (m *model) call(t testingT, operation string, answer any, format string, args ...any) {
	out, err := runOperation(m.service, requestFor(m.account), operation, fmt.Appendf(nil, format, args...), nil)
	if err != nil {
		t.Fatalf("%s %s: %v", operation, fmt.Sprintf(format, args...), err)
	}
	if answer == nil {
		return
	}
	if err := json.Unmarshal(out, answer); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
}

// Sort keys whose order a wrong encoding of keys would change.
var (
	modelTexts = []string{"a", "a\x00", "a\x00b", "a\x00\x01", "a\x01", "aa", "ab", "b", "\x00", "\x00\x00", "\x7f",
		"é", "\U0001F600"}
	modelNumbers = []string{"0", "1", "-1", "2", "10", "-10", "100", "0.5", "-0.5", "0.25", "1.5", "-1.5", "99", "1000000",
		"-1000000", "0.001"}
	modelBytes = []string{"a", "\x00", "\x00\x01", "\x00\xff", "\xff", "\xff\xff", "\xff\x00", "\x01",
		"a\x00", "a\xff", "ab"}
)

func (m *model) sortKey(t *rapid.T) string {
	return rapid.SampledFrom(map[string][]string{"S": modelTexts, "N": modelNumbers, "B": modelBytes}[m.typ]).Draw(t,
		"sort key")
}

// value returns the JSON of a sort key.
func (m *model) value(v string) string {
	var member any = v
	if m.typ == "B" {
		member = []byte(v)
	}
	text, _ := json.Marshal(map[string]any{m.typ: member}) // neither a string nor bytes can fail
	return string(text)
}

func (m *model) compare(a, b string) int {
	if m.typ != "N" {
		return cmp.Compare(a, b)
	}
	x, _ := strconv.ParseFloat(a, 64) // all of modelNumbers are exact
	y, _ := strconv.ParseFloat(b, 64)
	return cmp.Compare(x, y)
}

func (m *model) put(t *rapid.T) {
	few := rapid.SampledFrom([]string{"p", "q", "r"})
	i := modelItem{pk: few.Draw(t, "pk"), sk: m.sortKey(t), gpk: few.Draw(t, "gpk"), kind: few.Draw(t, "kind")}
	gsk := ""
	if rapid.IntRange(0, 3).Draw(t, "in the indexes") > 0 {
		i.gsk = m.sortKey(t)
		gsk = `,"gsk":` + m.value(i.gsk)
	}
	m.call(t, "PutItem", nil,
		`{"TableName":"table","Item":{"pk":{"S":"%s"},"sk":%s,"gpk":{"S":"%s"},"kind":{"S":"%s"}%s}}`,
		i.pk, m.value(i.sk), i.gpk, i.kind, gsk)
	m.items = slices.DeleteFunc(m.items, func(old modelItem) bool { return old.pk == i.pk && old.sk == i.sk })
	m.items = append(m.items, i)
}

// reading is the table or index that a Query or a Scan reads. A Query has the condition equality, which all items meet
// whose hash is that of the condition's values :hash and :second, and a condition on the attribute sortName.
type reading struct {
	index, equality, sortName string
	hash                      func(modelItem) [2]string
	sort                      func(modelItem) string
}

var readings = []reading{
	{"", "pk = :hash", "sk", func(i modelItem) [2]string { return [2]string{i.pk} }, modelItem.tableSort},
	{"global", "gpk = :hash", "gsk", func(i modelItem) [2]string { return [2]string{i.gpk} }, modelItem.indexSort},
	{"local", "pk = :hash", "gsk", func(i modelItem) [2]string { return [2]string{i.pk} }, modelItem.indexSort},
	{"pair", "pk = :second AND gpk = :hash", "gsk", modelItem.pair, modelItem.indexSort},
	{"nested", "gpk = :hash AND pk = :second", "gsk", modelItem.pair, modelItem.indexSort},
}

func (i modelItem) pair() [2]string   { return [2]string{i.gpk, i.pk} }
func (i modelItem) tableSort() string { return i.sk }
func (i modelItem) indexSort() string { return i.gsk }

// common returns the members that every request has.
func (r reading) common(t *rapid.T) string {
	members := fmt.Sprintf(`{"TableName":"table","Limit":%d,"Select":"%s"`, rapid.IntRange(1, 7).Draw(t, "limit"),
		rapid.SampledFrom([]string{"ALL_ATTRIBUTES", "COUNT"}).Draw(t, "select"))
	if r.index != "" {
		members += `,"IndexName":"` + r.index + `"`
	}
	return members
}

// expectedItems returns the model's items in the table or index, in the order of a Query.
func (m *model) expectedItems(r reading) []modelItem {
	held := slices.Clone(m.items)
	if r.index != "" {
		held = slices.DeleteFunc(held, func(i modelItem) bool { return i.gsk == "" })
	}
	slices.SortFunc(held, func(a, b modelItem) int {
		return cmp.Or(m.compare(r.sort(a), r.sort(b)), cmp.Compare(a.pk, b.pk), m.compare(a.sk, b.sk))
	})
	return held
}

// ranges are the conditions on a sort key.
var ranges = map[string]func(m *model, v, low, high string) bool{
	"":                func(*model, string, string, string) bool { return true },
	" AND %s = :low":  func(m *model, v, low, _ string) bool { return m.compare(v, low) == 0 },
	" AND %s < :low":  func(m *model, v, low, _ string) bool { return m.compare(v, low) < 0 },
	" AND %s <= :low": func(m *model, v, low, _ string) bool { return m.compare(v, low) <= 0 },
	" AND %s > :low":  func(m *model, v, low, _ string) bool { return m.compare(v, low) > 0 },
	" AND %s >= :low": func(m *model, v, low, _ string) bool { return m.compare(v, low) >= 0 },
	" AND %s BETWEEN :low AND :high": func(m *model, v, low, high string) bool {
		return m.compare(v, low) >= 0 && m.compare(v, high) <= 0
	},
	" AND begins_with(%s, :low)":      func(_ *model, v, low, _ string) bool { return strings.HasPrefix(v, low) },
	" AND :low <= %s":                 func(m *model, v, low, _ string) bool { return m.compare(v, low) >= 0 },
	" AND (%s BETWEEN :low AND :low)": func(m *model, v, low, _ string) bool { return m.compare(v, low) == 0 },
}

func (m *model) checkQuery(t *rapid.T) {
	r := rapid.SampledFrom(readings).Draw(t, "reading")
	condition := rapid.SampledFrom(slices.Sorted(func(yield func(string) bool) {
		for c := range ranges {
			if (m.typ != "N" || !strings.Contains(c, "begins_with")) && !yield(c) {
				return
			}
		}
	})).Draw(t, "condition")
	low, high := m.sortKey(t), m.sortKey(t)
	if m.compare(low, high) > 0 {
		low, high = high, low
	}
	hash := [2]string{rapid.SampledFrom([]string{"p", "q", "r", "none"}).Draw(t, "hash")}
	if strings.Contains(r.equality, ":second") {
		hash[1] = rapid.SampledFrom([]string{"p", "q", "r"}).Draw(t, "second")
	}
	forward := rapid.Bool().Draw(t, "forward")

	expected := slices.DeleteFunc(m.expectedItems(r), func(i modelItem) bool {
		return r.hash(i) != hash || !ranges[condition](m, r.sort(i), low, high)
	})
	if !forward {
		slices.Reverse(expected)
	}
	values := fmt.Sprintf(`":hash":{"S":"%s"}`, hash[0])
	if hash[1] != "" {
		values += fmt.Sprintf(`,":second":{"S":"%s"}`, hash[1])
	}
	if condition != "" {
		values += `,":low":` + m.value(low)
		condition = fmt.Sprintf(condition, r.sortName)
	}
	if strings.Contains(condition, ":high") {
		values += `,":high":` + m.value(high)
	}
	request := fmt.Sprintf(`%s,"KeyConditionExpression":"%s%s","ScanIndexForward":%v`, r.common(t), r.equality,
		condition, forward)
	m.follow(t, "Query", request, values, expected, true)
}

func (m *model) checkScan(t *rapid.T) {
	r := rapid.SampledFrom(readings).Draw(t, "reading")
	common := r.common(t)
	n := rapid.IntRange(1, 5).Draw(t, "segments")
	expected := m.expectedItems(r)
	// The hash decides which segment an item is in; the contract is that each is in exactly one.
	for i := range n {
		expected = m.follow(t, "Scan", fmt.Sprintf(`%s,"Segment":%d,"TotalSegments":%d`, common, i, n), "", expected, false)
	}
	if len(expected) > 0 && strings.Contains(common, "ALL_ATTRIBUTES") {
		t.Fatalf("in none of %d segments: %v", n, expected)
	}
}

// follow reads page by page and compares with the expected items, either in their order or in any order. It returns the
// items that were not read.
func (m *model) follow(t *rapid.T, operation, request, values string, expected []modelItem, ordered bool) []modelItem {
	kind := rapid.SampledFrom([]string{"", "p"}).Draw(t, "filter")
	if !ordered {
		kind = ""
	}
	if kind != "" {
		request += `,"FilterExpression":"kind = :kind"`
		values += fmt.Sprintf(`,":kind":{"S":"%s"}`, kind)
	}
	if values != "" {
		request += `,"ExpressionAttributeValues":{` + values + `}`
	}
	limit := 0
	fmt.Sscanf(request, `{"TableName":"table","Limit":%d`, &limit)
	scanned, start := 0, ""
	for page := 0; ; page++ {
		var answer pageAnswer
		m.call(t, operation, &answer, "%s%s}", request, start)
		if answer.ScannedCount > limit || (answer.LastEvaluatedKey != nil) != (answer.ScannedCount == limit) ||
			answer.Count > answer.ScannedCount {
			t.Fatalf("%s%s: %+v", request, start, answer)
		}
		scanned += answer.ScannedCount
		expected = m.take(t, request, answer, expected, kind, ordered)
		if answer.LastEvaluatedKey == nil {
			break
		}
		start = `,"ExclusiveStartKey":` + string(answer.LastEvaluatedKey)
		if page > len(m.items) {
			t.Fatalf("%s: no end", request)
		}
	}
	if ordered && len(expected) > 0 {
		t.Fatalf("%s: missing %v", request, expected)
	}
	return expected
}

// take checks a page and removes its items from the expected ones.
func (m *model) take(t *rapid.T, request string, answer pageAnswer, expected []modelItem, kind string,
	ordered bool) []modelItem {
	if !ordered {
		for _, text := range answer.Items {
			at := slices.IndexFunc(expected, func(i modelItem) bool { return m.is(t, text, i) })
			if at < 0 {
				t.Fatalf("%s: %s is not expected, or not again", request, text)
			}
			expected = slices.Delete(expected, at, at+1)
		}
		return expected
	}
	if answer.ScannedCount > len(expected) {
		t.Fatalf("%s: %+v beyond %v", request, answer, expected)
	}
	read, rest := expected[:answer.ScannedCount], expected[answer.ScannedCount:]
	read = slices.DeleteFunc(slices.Clone(read), func(i modelItem) bool { return kind != "" && i.kind != kind })
	if len(read) != answer.Count || strings.Contains(request, "COUNT") != (answer.Items == nil) {
		t.Fatalf("%s: %+v, not %v", request, answer, read)
	}
	for i, text := range answer.Items {
		if !m.is(t, text, read[i]) {
			t.Fatalf("%s: %s, not %v", request, text, read[i])
		}
	}
	return rest
}

// is reports whether the JSON of an item is that item.
func (m *model) is(t *rapid.T, text json.RawMessage, i modelItem) bool {
	var it map[string]map[string]json.RawMessage
	if err := json.Unmarshal(text, &it); err != nil {
		t.Fatal(err)
	}
	var sk map[string]json.RawMessage
	if err := json.Unmarshal([]byte(m.value(i.sk)), &sk); err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]string{"pk": i.pk, "gpk": i.gpk, "kind": i.kind} {
		if string(it[name]["S"]) != strconv.Quote(v) {
			return false
		}
	}
	return sameText(sk[m.typ], it["sk"][m.typ])
}

// sameText reports whether two JSON strings are equal, ignoring escapes.
func sameText(a, b json.RawMessage) bool {
	var x, y string
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && x == y
}
