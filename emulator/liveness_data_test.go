package emulator_test

import (
	"fmt"
	"strings"
)

const largeCount = 30 // items of 390 KB

// allLarge returns a request for everything that largeItems created.
func allLarge() string {
	keys := make([]string, largeCount)
	for i := range keys {
		keys[i] = fmt.Sprintf(`{"pk":{"S":"%d"}}`, i)
	}
	return `{"RequestItems":{"victim":{"Keys":[` + strings.Join(keys, ",") + `]}}}`
}

// largeItems fills the victim with items of 390 KB.
func largeItems(a *livenessTest) {
	for i := range largeCount {
		a.must("PutItem", fmt.Sprintf(`{"TableName":"victim","Item":{"pk":{"S":"%d"},"v":{"S":"%s"}}}`, i,
			strings.Repeat("x", 390_000)))
	}
}

// wideItem creates an item with tens of thousands of attributes.
func wideItem(a *livenessTest) {
	a.must("PutItem", `{"TableName":"victim","Item":{"pk":{"S":"wide"}`+attributes(30_000)+`}}`)
}

// legacyConditions returns a PutItem with that many conditions on the wide item.
func legacyConditions(n int) string {
	conditions := make([]string, n)
	for i := range conditions {
		conditions[i] = fmt.Sprintf(`"a%d":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"2"}]}`, i)
	}
	return `{"TableName":"victim","Item":{"pk":{"S":"wide"}},"ConditionalOperator":"OR","Expected":{` +
		strings.Join(conditions, ",") + `}}`
}
