package expr

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// legacyEntry is an entry of any legacy parameter, with the attribute's name.
type legacyEntry struct {
	Attribute          string
	Exists             *bool
	Value              json.RawMessage
	Action             string
	ComparisonOperator string
	AttributeValueList []json.RawMessage
}

// runLegacy evaluates a line with the JSON of a legacy parameter, as a list of entries.
func (w *transcript) runLegacy(t *testing.T, d *datadriven.TestData, line string) (any, error) {
	if d.Cmd == "attributes-to-get" {
		var names []string
		if err := json.Unmarshal([]byte(line), &names); err != nil {
			return nil, err
		}
		p, err := ParseAttributesToGet(names)
		if err != nil {
			return nil, err
		}
		return p.Apply(w.item, nil)
	}
	var entries []legacyEntry
	if err := json.Unmarshal([]byte(line), &entries); err != nil {
		return nil, fmt.Errorf("%s: %w", line, err)
	}
	var conditionalOperator string
	d.MaybeScanArgs(t, "join", &conditionalOperator)
	switch d.Cmd {
	case "expected":
		c, err := ParseExpected(mapped(entries, legacyEntry.expected), conditionalOperator)
		if err != nil {
			return nil, err
		}
		return c.Match(w.item, nil)
	case "legacy-filter":
		c, err := ParseLegacyFilter(mapped(entries, legacyEntry.condition), conditionalOperator)
		if err != nil {
			return nil, err
		}
		return c.Match(w.item, nil)
	case "key-conditions":
		k, err := ParseKeyConditions(mapped(entries, legacyEntry.condition))
		if err != nil {
			return nil, err
		}
		return keyFor(t, d, k)
	case "attribute-updates":
		u, err := ParseAttributeUpdates(mapped(entries, legacyEntry.update))
		if err != nil {
			return nil, err
		}
		return w.changes(u, false)
	}
	return nil, fmt.Errorf("no such command: %s", d.Cmd)
}

func mapped[A, B any](all []A, f func(A) B) []B {
	out := make([]B, len(all))
	for i, a := range all {
		out[i] = f(a)
	}
	return out
}

func value(raw json.RawMessage) item.Value {
	if raw == nil {
		return nil
	}
	v, err := item.ParseJSON(string(raw))
	if err != nil {
		panic(err)
	}
	return v
}

func (e legacyEntry) list() []item.Value {
	if e.AttributeValueList == nil {
		return nil
	}
	return mapped(e.AttributeValueList, value)
}

func (e legacyEntry) expected() Expected {
	return Expected{e.Attribute, e.Exists, value(e.Value), e.ComparisonOperator, e.list()}
}

func (e legacyEntry) condition() LegacyCondition {
	return LegacyCondition{e.Attribute, e.ComparisonOperator, e.list()}
}

func (e legacyEntry) update() AttributeUpdate {
	return AttributeUpdate{e.Attribute, e.Action, value(e.Value)}
}

// Without a filter, Condition is nil and matches everything.
func TestNilCondition(t *testing.T) {
	t.Parallel()
	c, err := ParseLegacyFilter(nil, "")
	if err != nil || c != nil {
		t.Fatalf("got %v, %v", c, err)
	}
	if met, err := c.Match(item.Empty, nil); err != nil || !met {
		t.Error(met, err)
	}
}
