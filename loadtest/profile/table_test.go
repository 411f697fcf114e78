package profile

import (
	"strings"
	"testing"
)

// A key attribute has the item's number only where its template has {n}.
func TestOnlyNumberedAttributesOfAKeyDiffer(t *testing.T) {
	t.Parallel()
	of := Table{Item: map[string]string{"PK": "CASE#{n}/a", "SK": "META"}}
	attributes := of.KeyAttributes()
	if len(attributes) != 2 {
		t.Fatalf("%+v", attributes)
	}
	for i, want := range []string{"CASE#r00000001/a", "META"} {
		if got := string(attributes[i].AppendValue(nil, "r00000001")); got != want {
			t.Errorf("%s: %q, want %q", attributes[i].Name, got, want)
		}
	}
	if got, want := of.Overhead(), len("pad"+"PK"+"CASE#r00000001/a"+"SK"+"META"); got != want {
		t.Errorf("an item without its padding has %d bytes, want %d", got, want)
	}
}

func TestKeysOfATableAreChecked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		table Table
		want  string // part of the error; empty: none
	}{
		{Table{}, ""},
		{Table{Schema: "verification", Item: map[string]string{"PK": "CASE#{n}", "SK": "META"}}, ""},
		{Table{Schema: "verification", Item: map[string]string{"PK": "CASE", "SK": "META"}}, "all items have the same key"},
		{Table{Schema: "verification", Item: map[string]string{"PK": `"{n}`}}, "contain quotes"},
		{Table{Schema: "verification"}, "needs the key attributes of its items"},
	} {
		err := checkItem(&Profile{Table: c.table})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.table, err, c.want)
		}
	}
}
