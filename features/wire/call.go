package wire

import (
	"fmt"
	"strings"
)

// Call is one request to DynamoDB as text: expressions have names and values instead of placeholders, strings are in
// single quotes, and redundant parentheses are removed. Fields that the operation lacks are empty.
type Call struct {
	Operation  string // GetItem, Query, …
	Table      string // without the run's prefix
	Index      string
	Key        string // the key condition, or a single item's key as name = value AND …
	Filter     string
	Condition  string
	Update     string
	Projection string
	Descending bool
	Consistent bool
	Limit      int32    // 0: none
	Actions    []Action // actions of a transaction, in order
	Item       values   // item of a PutItem
	Err        error    // the client's error, after its retries
}

// Action is one part of a transaction.
type Action struct {
	Operation string // Put, Update, Delete, Check, Get
	Table     string
	Key       string // empty for Put, because the request does not say which attributes are the key
	Condition string
	Update    string
}

// String returns the call in the wording of steps.
func (c Call) String() string {
	var b strings.Builder
	b.WriteString(c.Operation)
	if c.Table != "" {
		fmt.Fprintf(&b, " of %s", tableOrIndex(c.Table, c.Index))
	}
	appendPart(&b, " where ", c.Key)
	appendPart(&b, ", setting ", c.Update)
	appendPart(&b, ", filtered by ", c.Filter)
	appendPart(&b, ", only if ", c.Condition)
	if c.Descending {
		b.WriteString(", descending")
	}
	if c.Limit > 0 {
		fmt.Fprintf(&b, ", limit %d", c.Limit)
	}
	if c.Consistent {
		b.WriteString(", consistent")
	}
	for i, a := range c.Actions {
		fmt.Fprintf(&b, "; %d. %s", i+1, a)
	}
	return b.String()
}

// String returns the action in the wording of steps.
func (a Action) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %q", a.Operation, a.Table)
	appendPart(&b, " where ", a.Key)
	appendPart(&b, ", setting ", a.Update)
	appendPart(&b, ", only if ", a.Condition)
	return b.String()
}

func tableOrIndex(table, index string) string {
	if index == "" {
		return fmt.Sprintf("%q", table)
	}
	return fmt.Sprintf("index %q of %q", index, table)
}

func appendPart(b *strings.Builder, label, text string) {
	if text != "" {
		b.WriteString(label)
		b.WriteString(`"` + text + `"`)
	}
}
