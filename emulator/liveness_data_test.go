package emulator_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

const largeCount = 30 // items of 390 KB

// allLarge asks for all that largeItems made.
func allLarge() string {
	keys := make([]string, largeCount)
	for i := range keys {
		keys[i] = fmt.Sprintf(`{"pk":{"S":"%d"}}`, i)
	}
	return `{"RequestItems":{"victim":{"Keys":[` + strings.Join(keys, ",") + `]}}}`
}

// largeItems fills the victim with items of 390 KB.
func largeItems(a *arena) {
	for i := range largeCount {
		a.must("PutItem", fmt.Sprintf(`{"TableName":"victim","Item":{"pk":{"S":"%d"},"v":{"S":"%s"}}}`, i, strings.Repeat("x", 390_000)))
	}
}

// wideItem has tens of thousands of attributes.
func wideItem(a *arena) {
	var item strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&item, `,"a%d":{"N":"1"}`, i)
	}
	a.must("PutItem", `{"TableName":"victim","Item":{"pk":{"S":"wide"}`+item.String()+`}}`)
}

// legacyConditions is a PutItem with that many conditions on the wide item.
func legacyConditions(n int) string {
	conditions := make([]string, n)
	for i := range conditions {
		conditions[i] = fmt.Sprintf(`"a%d":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"2"}]}`, i)
	}
	return `{"TableName":"victim","Item":{"pk":{"S":"wide"}},"ConditionalOperator":"OR","Expected":{` + strings.Join(conditions, ",") + `}}`
}

const victims = "dbs/live/colls/victim"

// wideDocument has an array of hundreds of texts.
func wideDocument(a *arena) {
	texts := `"` + strings.Repeat(`xxxxxxxxxxxxxxxxxxxx","`, 499) + `x"`
	a.mustCosmos("docs", victims, "/"+victims+"/docs", `{"id":"1","pk":"x","a":[`+texts+`]}`, "X-Ms-Documentdb-Partitionkey", `["x"]`)
}

func queryVictim(query string) func(context.Context, *arena) (int, error) {
	return func(ctx context.Context, a *arena) (int, error) {
		status, _, err := a.cosmos(ctx, http.MethodPost, "docs", victims, "/"+victims+"/docs", fmt.Sprintf(`{"query":%q}`, query),
			"Content-Type", "application/query+json", "X-Ms-Documentdb-Isquery", "true", "X-Ms-Documentdb-Partitionkey", `["x"]`)
		return status, err
	}
}

func loopingScript(a *arena) {
	a.mustCosmos("sprocs", victims, "/"+victims+"/sprocs", `{"id":"loop","body":"function(){ for(;;); }"}`)
}

func runScript(ctx context.Context, a *arena) (int, error) {
	status, _, err := a.cosmos(ctx, http.MethodPost, "sprocs", victims+"/sprocs/loop", "/"+victims+"/sprocs/loop", `[]`, "X-Ms-Documentdb-Partitionkey", `["x"]`)
	return status, err
}
