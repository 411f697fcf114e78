package steps

import (
	"testing"

	"github.com/tabletop-db/tabletop/features/wire"
)

func TestStepMatchesTheCallsThatItDescribes(t *testing.T) {
	t.Parallel()
	call := wire.Call{
		Operation: "Query", Table: "devices", Index: "gsi1", Key: "gsi1pk = 'a, b'", Descending: true, Limit: 10,
	}
	for _, c := range []struct {
		text string
		want bool
	}{
		{call.String(), true},
		{`Query of index "gsi1" of "devices"`, true},
		{`Query of index "gsi1" of "devices" where "gsi1pk = 'a, b'", descending, limit 10, eventually consistent`, true},
		{`Query of "devices"`, false}, // the table itself, not the index
		{`Scan of index "gsi1" of "devices"`, false},
		{`Query of index "gsi1" of "devices", ascending`, false},
		{`Query of index "gsi1" of "devices", limit 11`, false},
		{`Query of index "gsi1" of "devices", consistent`, false},
		{`Query of index "gsi1" of "devices" where "gsi1pk = 'a'"`, false},
		{`Query of index "gsi1" of "devices", only if "attribute_exists(a)"`, false},
	} {
		w, err := parseWant(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.matches(call); got != c.want {
			t.Errorf("%s: %v, want %v", c.text, got, c.want)
		}
	}
}

func TestInvalidStepIsAnErrorAndNoMatch(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`Query of devices`, `Query of "devices", backwards`, `Query of "devices", limit ten`} {
		if w, err := parseWant(text); err == nil {
			t.Errorf("%s was read as %+v", text, w)
		}
	}
}
