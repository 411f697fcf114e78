package dynamo

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/data"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// wideAttributes is the number of attributes of the wide item: about as many as fit in 400 KB beside a few sets.
const wideAttributes = 30_000

// wideService returns a service with an item of wideAttributes attributes, and small items.
func wideService(t *testing.T) *Service {
	t.Helper()
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	mustRun(t, s, "CreateTable", sessions)
	mustRun(t, s, "PutItem", `{"TableName":"sessions","Item":{"id":{"S":"wide"},`+repeat(wideAttributes,
		`"a%05d":{"N":"1"}`)+`}}`)
	for i := range 20 {
		mustRun(t, s, "PutItem", fmt.Sprintf(`{"TableName":"sessions","Item":{"id":{"S":"small-%d"}}}`, i))
	}
	return s
}

// wideRequests returns requests that name tens of thousands of attributes, or access the wide item hundreds of times.
func wideRequests() map[string][2]string {
	conditions := repeat(wideAttributes, `"a%05d":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"1"}]}`)
	key := `"TableName":"sessions","Key":{"id":{"S":"wide"}},`
	expression := func(n int, format, between string) string {
		texts := make([]string, n)
		for i := range texts {
			texts[i] = fmt.Sprintf(format, i*100)
		}
		return strings.Join(texts, between)
	}
	return map[string][2]string{
		"Expected": {"DeleteItem", `{` + key + `"Expected":{` + conditions +
			`,"none":{"Exists":true,"Value":{"N":"1"}}}}`},
		"AttributeUpdates": {"UpdateItem", `{` + key + `"AttributeUpdates":{` + repeat(wideAttributes,
			`"a%05d":{"Action":"ADD","Value":{"N":"1"}}`) + `}}`},
		"ScanFilter": {"Scan", `{"TableName":"sessions","ConditionalOperator":"OR","ScanFilter":{` +
			strings.ReplaceAll(conditions, `"N":"1"`, `"N":"2"`) + `}}`},
		"ConditionExpression": {"DeleteItem", `{` + key + `"ConditionExpression":"` + expression(150, "a%05d=:v",
			" AND ") + `","ExpressionAttributeValues":{":v":{"N":"1"}}}`},
		"AttributesToGet": {"GetItem", `{` + key + `"AttributesToGet":[` + repeat(255, `"a%05d"`) + `]}`},
		"AttributesToGet of a batch": {"BatchGetItem",
			`{"RequestItems":{"sessions":{"Keys":[{"id":{"S":"wide"}}],"AttributesToGet":[` + repeat(255, `"a%05d"`) + `]}}}`},
		"AttributesToGet of a page": {"Scan", `{"TableName":"sessions","AttributesToGet":[` + repeat(255, `"a%05d"`) + `]}`},
		"ProjectionExpression": {"TransactGetItems", `{"TransactItems":[{"Get":{` + key + `"ProjectionExpression":"` +
			expression(280, "a%05d", ",") + `"}}]}`},
		"UpdateExpression": {"UpdateItem", `{` + key + `"UpdateExpression":"SET ` + expression(280, "a%05d=:v", ",") +
			`","ExpressionAttributeValues":{":v":{"N":"1"}}}`},
	}
}

// The work of a request grows with its size and the item's, not with their product, which would be 700 million steps.
func TestWorkOnAWideItemIsNotQuadratic(t *testing.T) {
	t.Parallel()
	for name, c := range wideRequests() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := wideService(t)
			a := requestFor(s.engine.SharedAccount.Load())
			_, err := runOperation(s, a, c[0], []byte(c[1]), nil)
			if err != nil && !strings.Contains(err.Error(), wire.ConditionalCheckFailed) {
				t.Fatalf("%.200v", err)
			}
			if steps := a.Work.Steps(); steps < 1000 || steps > 5_000_000 {
				t.Errorf("it took %d steps", steps)
			}
		})
	}
}

// A client that disconnects ends the work, and nothing is written.
func TestExpressionsEndWhenTheClientDisconnects(t *testing.T) {
	t.Parallel()
	s := wideService(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range wideRequests() {
		a := requestFor(s.engine.SharedAccount.Load())
		a.Work.Reset(ctx, engine.RequestLimits(nil, nil))
		_, err := runOperation(s, a, c[0], []byte(c[1]), nil)
		if !errors.Is(err, context.Canceled) || a.Work.Steps() > 25_000 { // one pass over the item
			t.Errorf("%s: %d steps, %.200v", name, a.Work.Steps(), err)
		}
	}
}

// A request that exceeds its budget fails with the service's form of an error.
func TestRequestsBeyondTheBudgetFail(t *testing.T) {
	t.Parallel()
	s := wideService(t)
	for name, c := range wideRequests() {
		a := requestFor(s.engine.SharedAccount.Load())
		a.Work.Reset(t.Context(), budget.Limits{Steps: 5000})
		_, err := runOperation(s, a, c[0], []byte(c[1]), nil)
		if err == nil || s.api.Answer(c[0], err).Name() != "ValidationException" {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}

// A page whose filter takes much work ends early, with a LastEvaluatedKey, and all pages together have every item.
func TestPagesEndAtTheStepLimit(t *testing.T) {
	t.Parallel()
	s := wideService(t)
	request := `{"TableName":"sessions","ConditionalOperator":"OR","ScanFilter":{` +
		repeat(wideAttributes, `"b%05d":{"ComparisonOperator":"NOT_NULL"}`) + `,"id":{"ComparisonOperator":"NOT_NULL"}}%s}`
	seen, pages := 0, 0
	for start := ""; ; pages++ {
		a := requestFor(s.engine.SharedAccount.Load())
		in := data.ScanInput{}
		var d wire.Decoder
		if err := d.Decode(&in, []byte(strings.Replace(request, "%s", start, 1))); err != nil {
			t.Fatal(err)
		}
		if err := in.Check(); err != nil {
			t.Fatal(err)
		}
		_ = a.Work.Step(engine.PageSteps - 100_000) // as if its filter were larger
		p, err := data.Scan(a, &in)
		if err != nil {
			t.Fatal(err)
		}
		seen += p.Count
		if p.LastKey == nil {
			break
		}
		start = `,"ExclusiveStartKey":` + string(p.LastKey)
		p.Release()
	}
	if seen != 21 || pages < 3 {
		t.Errorf("%d items in %d pages", seen, pages+1)
	}
}

// TestRequestsWithMillionsOfElementsAreRefused sends lists and maps whose elements are nearly empty, which takes much
// more memory to decode and to describe than to send.
func TestRequestsWithMillionsOfElementsAreRefused(t *testing.T) {
	t.Parallel()
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	defer s.Close()
	for _, c := range []struct{ operation, head, element, tail string }{
		{"TransactGetItems", `{"TransactItems":[`, `{}`, `]}`},
		{"TransactWriteItems", `{"TransactItems":[`, `{"Put":{}}`, `]}`},
		{"BatchWriteItem", `{"RequestItems":{"sessions":[`, `{}`, `]}}`},
		{"BatchGetItem", `{"RequestItems":{`, `"":{}`, `}}`},
		{"BatchExecuteStatement", `{"Statements":[`, `{}`, `]}`},
		{"ExecuteTransaction", `{"TransactStatements":[`, `{}`, `]}`},
	} {
		body := c.head + strings.Repeat(c.element+",", shape.MaxElements) + c.element + c.tail
		_, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), c.operation, []byte(body), nil)
		if err == nil || !strings.Contains(err.Error(), "SerializationException") {
			t.Errorf("%s: %.200v", c.operation, err)
		}
	}
}
