package dynamo

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"pgregory.net/rapid"
)

// vectorItem is an item of the model. Without a vector it is in no index, without a tenant not in the index by tenant.
type vectorItem struct {
	id, tenant string
	vector     []float32
}

func (i vectorItem) request() string {
	text := fmt.Sprintf(`{"TableName":"table","Item":{"id":{"S":"%s"}`, i.id)
	if i.tenant != "" {
		text += fmt.Sprintf(`,"tenant":{"S":"%s"}`, i.tenant)
	}
	if i.vector != nil {
		text += `,"v":{"L":` + numbers(i.vector) + `}`
	}
	return text + "}}"
}

func numbers(vector []float32) string {
	elements := make([]map[string]string, len(vector))
	for i, f := range vector {
		elements[i] = map[string]string{"N": fmt.Sprint(f)}
	}
	text, _ := json.Marshal(elements)
	return string(text)
}

// TestSearchesAgainstModel compares SearchVectors with a sort of all items by their distance, after puts, replacements
// and deletions, in indexes that are older than the items and in one that is newer.
func TestSearchesAgainstModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := newVectorModel(t)
		vector := rapid.SliceOfN(rapid.Float32Range(-4, 4), 3, 3)
		items := map[string]vectorItem{}
		for range rapid.IntRange(1, 30).Draw(t, "writes") {
			it := vectorItem{id: rapid.StringMatching("[a-h]").Draw(t, "id"), tenant: rapid.SampledFrom([]string{"", "x", "y"}).
				Draw(t, "tenant")}
			if rapid.IntRange(0, 4).Draw(t, "kind") == 0 {
				m.call(t, "DeleteItem", nil, `{"TableName":"table","Key":{"id":{"S":"%s"}}}`, it.id)
				delete(items, it.id)
				continue
			}
			if rapid.Bool().Draw(t, "has vector") {
				it.vector = vector.Draw(t, "vector")
			}
			m.call(t, "PutItem", nil, "%s", it.request())
			items[it.id] = it
		}
		m.call(t, "UpdateTable", nil, `{"TableName":"table","VectorIndexUpdates":[{"Create":%s}]}`,
			vectorIndexText("newer", "COSINE", ""))
		for index, distance := range map[string]func(a, b []float32) float64{"COSINE": cosine, "newer": cosine,
			"EUCLIDEAN": euclidean, "DOT_PRODUCT": negativeProduct, "tenant": euclidean} {
			checkSearch(t, m, index, distance, items, vector.Draw(t, "target"), rapid.IntRange(1, 5).Draw(t, "K"))
		}
	})
}

func vectorIndexText(name, distance, more string) string {
	return fmt.Sprintf(`{"IndexName":"%s","VectorAttribute":{"AttributeName":"v"},"Dimensions":3,"DistanceFunction":"%s",
		"Projection":{"ProjectionType":"KEYS_ONLY"}%s}`, name, distance, more)
}

func newVectorModel(t testingT) *model {
	service := newService(t)
	m := &model{service: service, account: service.engine.SharedAccount.Load()}
	m.call(t, "CreateTable", nil, `{"TableName":"table","BillingMode":"PAY_PER_REQUEST",
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
		"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"tenant","AttributeType":"S"}],
		"VectorIndexes":[%s,%s,%s,%s]}`,
		vectorIndexText("COSINE", "COSINE", ""), vectorIndexText("EUCLIDEAN", "EUCLIDEAN", ""),
		vectorIndexText("DOT_PRODUCT", "DOT_PRODUCT", ""), vectorIndexText("tenant", "EUCLIDEAN",
			`,"SearchSchema":[{"AttributeName":"tenant","SearchSchemaElementType":"HASH"}]`))
	return m
}

// checkSearch compares the distances of the results of a search with those of the nearest items: items with equal
// distances have no order.
func checkSearch(t *rapid.T, m *model, index string, distance func(a, b []float32) float64, items map[string]vectorItem,
	target []float32, k int) {
	condition := ""
	if index == "tenant" {
		condition = `,"SearchConditionExpression":"tenant = :t","ExpressionAttributeValues":{":t":{"S":"x"}}`
	}
	var answer struct {
		SearchResults []struct {
			Item  struct{ ID struct{ S string } }
			Score float64
		}
	}
	m.call(t, "SearchVectors", &answer, `{"TableName":"table","IndexName":"%s","SearchVector":%s,"TopK":%d%s}`, index,
		numbers(target), k, condition)
	var want []float64
	for _, it := range items {
		if it.vector != nil && (condition == "" || it.tenant == "x") {
			want = append(want, distance(target, it.vector))
		}
	}
	slices.SortFunc(want, cmp.Compare)
	want = want[:min(k, len(want))]
	if len(answer.SearchResults) != len(want) {
		t.Fatalf("%s: %d results, want %v", index, len(answer.SearchResults), want)
	}
	for i, found := range answer.SearchResults {
		got := distance(target, items[found.Item.ID.S].vector)
		score := found.Score
		if index == "DOT_PRODUCT" {
			score = -score
		}
		if math.Abs(got-want[i]) > 1e-5 || math.Abs(score-want[i]) > 1e-5*(1+math.Abs(want[i])) {
			t.Fatalf("%s: result %d is %s at %g with score %g, want %g", index, i, found.Item.ID.S, got, found.Score, want[i])
		}
	}
}

func negativeProduct(a, b []float32) (sum float64) {
	for i := range a {
		sum -= float64(a[i]) * float64(b[i])
	}
	return sum
}

func cosine(a, b []float32) float64 {
	lengths := math.Sqrt(negativeProduct(a, a) * negativeProduct(b, b))
	if lengths == 0 {
		return 1
	}
	return 1 + negativeProduct(a, b)/lengths
}

func euclidean(a, b []float32) (sum float64) {
	for i := range a {
		sum += math.Pow(float64(a[i])-float64(b[i]), 2)
	}
	return math.Sqrt(sum)
}

// FuzzSearchVectors expects that searches fail only with client errors, and that responses are JSON.
func FuzzSearchVectors(f *testing.F) {
	for _, body := range []string{
		`{"TableName":"table","IndexName":"COSINE","SearchVector":[{"N":"1"},{"N":"2"},{"N":"3"}],"TopK":3}`,
		`{"TableName":null,"IndexName":"a","SearchVector":[{"S":"1"},null],"TopK":1.5,"ProjectionExpression":"v[0], id"}`,
		`{"TableName":"table","IndexName":"tenant","SearchVector":[{"N":"1"},{"N":"2"},{"N":"3"}],"TopK":3,
			"SearchConditionExpression":"tenant = :t","ExpressionAttributeValues":{":t":{"S":"x"}}}`,
	} {
		f.Add([]byte(body))
	}
	m := newVectorModel(f)
	m.call(f, "PutItem", nil, "%s", vectorItem{"a", "x", []float32{1, -2.5, 1e-30}}.request())
	f.Fuzz(func(t *testing.T, body []byte) {
		out, err := runOperation(m.service, requestFor(m.account), "SearchVectors", body, nil)
		var e *wire.Error
		switch {
		case errors.As(err, &e) && e.Status == 400 && e.Type != "":
		case err != nil:
			t.Fatalf("%s: %v", body, err)
		case !json.Valid(out):
			t.Fatalf("%s: %s", body, out)
		}
	})
}
