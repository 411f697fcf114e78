package expr

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// seed adds every line of the transcripts that belongs to one of the commands.
func seed(f *testing.F, commands ...string) {
	files, err := filepath.Glob("testdata/transcripts/*")
	if err != nil || len(files) == 0 {
		f.Fatal("no transcripts", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for block := range strings.SplitSeq(string(text), "\n\n") {
			input, _, _ := strings.Cut(block, "\n----")
			head, lines, _ := strings.Cut(strings.TrimLeft(input, "\n"), "\n")
			for _, c := range commands {
				if strings.HasPrefix(head+" ", c+" ") {
					for line := range strings.Lines(lines) {
						f.Add(strings.Trim(line, "`\n"))
					}
				}
			}
		}
	}
}

const fuzzedItem = `{"a":{"S":"a"},"b":{"N":"5"},"c":{"L":[{"N":"1"},{"M":{"x":{"SS":["x","y"]}}}]},` +
	`"d":{"M":{"e":{"B":"YQ=="},"l":{"L":[]}}},"ss":{"SS":["a","b"]},"t":{"BOOL":true},"z":{"NULL":true}}`

func fuzzedPlaceholders() *Placeholders {
	return &Placeholders{
		Names: []Name{{Placeholder: "#a", Attribute: "a"}, {Placeholder: "#b", Attribute: "[3]"}},
		Values: []Value{
			{Placeholder: ":a", Value: item.NewString("a")}, {Placeholder: ":n", Value: item.NewInt(1)},
			{Placeholder: ":l", Value: item.NewList(item.NewBool(true))},
			{Placeholder: ":ss", Value: item.NewSet(item.StringSet, item.NewString("a"))},
		},
	}
}

// wantExprError checks that an error is one of the service's.
func wantExprError(t *testing.T, err error) {
	t.Helper()
	if e, ok := err.(*Error); !ok || e.Message == "" {
		t.Fatalf("%#v is no *Error", err)
	}
}

// fewSteps returns a budget that most expressions of the corpus do not exceed, and some do.
func fewSteps(t *testing.T) *budget.Budget {
	t.Helper()
	return budget.New(t.Context(), budget.Limits{Steps: 3})
}

// A condition within its budget gives the same result as without one; beyond it, it ends with the budget's error.
func FuzzCondition(f *testing.F) {
	seed(f, "condition", "filter")
	it := parseItem(f, fuzzedItem)
	f.Fuzz(func(t *testing.T, src string) {
		c, err := ParseCondition(FilterExpression, src, fuzzedPlaceholders())
		if err != nil {
			wantExprError(t, err)
			return
		}
		first, _ := c.Match(it, nil)
		second, _ := c.Match(it, nil)
		if first != second {
			t.Fatal("an item matches by turns")
		}
		if bounded, err := c.Match(it, fewSteps(t)); err == nil && bounded != first || err != nil && !errors.Is(err,
			budget.ErrSteps) {
			t.Fatalf("with a budget: %v, %v; without %v", bounded, err, first)
		}
		c.Match(item.Empty, nil)
		checkLogic(t, src, it, first)
	})
}

// checkLogic checks that a condition, whose result for an item is known, obeys the laws of NOT, AND and OR. A longer
// condition that is refused, for its length or for redundant parentheses, is not checked.
func checkLogic(t *testing.T, src string, it item.Value, matches bool) {
	t.Helper()
	for _, law := range []struct {
		condition string
		want      bool
	}{
		{"NOT (" + src + ")", !matches},
		{"(" + src + ") AND (" + src + ")", matches},
		{"(" + src + ") OR NOT (" + src + ")", true},
		{"(" + src + ") AND NOT (" + src + ")", false},
	} {
		c, err := ParseCondition(FilterExpression, law.condition, fuzzedPlaceholders())
		if err != nil {
			continue
		}
		if got, _ := c.Match(it, nil); got != law.want {
			t.Fatalf("%s is %v, and %s alone %v", law.condition, got, src, matches)
		}
	}
}

func FuzzUpdate(f *testing.F) {
	seed(f, "update", "touched")
	it := parseItem(f, fuzzedItem)
	f.Fuzz(func(t *testing.T, src string) {
		u, err := ParseUpdate(src, fuzzedPlaceholders())
		if err != nil {
			wantExprError(t, err)
			return
		}
		after, err := u.Apply(it, nil)
		if err != nil {
			wantExprError(t, err)
			return
		}
		few := fewSteps(t)
		if bounded, err := u.Apply(it, few); few.Step(0) == nil && (err != nil || !item.Equal(bounded, after)) {
			t.Fatalf("within a budget it leaves %x, %v", bounded, err)
		}
		stored, err := item.ParseItem(string(after.AppendItem(nil)))
		if err != nil || !item.Equal(stored, after) {
			t.Fatalf("%s leaves %s: %v", src, after.AppendItem(nil), err)
		}
		if _, err := u.TargetProjection().Apply(after, nil); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzProjection(f *testing.F) {
	seed(f, "projection")
	it := parseItem(f, fuzzedItem)
	f.Fuzz(func(t *testing.T, src string) {
		p, err := ParseProjection(src, fuzzedPlaceholders())
		if err != nil {
			wantExprError(t, err)
			return
		}
		part, err := p.Apply(it, nil)
		if err != nil || part.Type() != item.Map || !bytes.Equal(parseItem(t, string(part.AppendItem(nil))), part) {
			t.Fatalf("%s leaves %x, %v", src, part, err)
		}
		if again, err := p.ApplyInto(slices.Clone(it), it, nil); err != nil || !bytes.Equal(again, part) {
			t.Fatalf("into memory that was used %s leaves %x, %v, want %x", src, again, err, part)
		}
		if bounded, err := p.Apply(it, fewSteps(t)); err == nil && !item.Equal(bounded, part) || err != nil &&
			!errors.Is(err, budget.ErrSteps) {
			t.Fatalf("with a budget %s leaves %x, %v", src, bounded, err)
		}
	})
}

// The condition on a key has a value of each partition key attribute, and only its last range is not an equality.
func FuzzKeyCondition(f *testing.F) {
	seed(f, "key")
	f.Add("a = :a AND sk < :n AND pk = :a")
	schemas := []*KeySchema{
		{Hash: []KeyAttribute{{"pk", item.String}}, Range: []KeyAttribute{{"sk", item.Number}}},
		{Hash: []KeyAttribute{{"pk", item.String}}, Range: []KeyAttribute{{"a", item.String}, {"sk", item.Number}}},
		{Hash: []KeyAttribute{{"pk", item.String}, {"a", item.String}}, Range: []KeyAttribute{{"sk", item.Number}}},
	}
	f.Fuzz(func(t *testing.T, src string) {
		k, err := ParseKeyCondition(src, fuzzedPlaceholders())
		if err == nil {
			err = k.Err()
		}
		if err != nil {
			wantExprError(t, err)
			return
		}
		for _, schema := range schemas {
			c, err := k.Resolve(schema)
			if err != nil {
				wantExprError(t, err)
				continue
			}
			if len(c.Hash) != len(schema.Hash) || len(c.Hash)+len(c.Ranges) != len(k.clauses) {
				t.Fatalf("%s has %d values and %d ranges", src, len(c.Hash), len(c.Ranges))
			}
			for i, r := range c.Ranges {
				if r.Contains(item.NewInt(1)); i+1 < len(c.Ranges) && r.Op != Equal {
					t.Fatalf("%s has the range %d before another", src, r.Op)
				}
			}
		}
	})
}
