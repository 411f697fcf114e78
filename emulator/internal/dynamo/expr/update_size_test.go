package expr

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// sizeCapture is an update to which AWS accepted :pad, a string of that many bytes, and refused one byte more
// (eu-west-2, 2026-10-09; nubo-db/dynoxide).
type sizeCapture struct {
	Update  string
	Names   map[string]string
	Values  map[string]json.RawMessage
	Padding int
}

func (c sizeCapture) parse(t *testing.T, padding int) *Update {
	t.Helper()
	p := Placeholders{Values: []Value{{Placeholder: ":pad", Value: item.NewString(strings.Repeat("x", padding))}}}
	for placeholder, name := range c.Names {
		p.Names = append(p.Names, Name{Placeholder: placeholder, Attribute: name})
	}
	for placeholder, text := range c.Values {
		v, err := item.ParseItem(`{"v":` + string(text) + `}`)
		if err != nil {
			t.Fatal(err)
		}
		v, _ = v.Field("v")
		p.Values = append(p.Values, Value{Placeholder: placeholder, Value: v})
	}
	u, err := ParseUpdate(c.Update, &p)
	if err != nil {
		t.Fatalf("%s: %v", c.Update, err)
	}
	return u
}

func TestUpdatesAreMeasuredAsOnAWS(t *testing.T) {
	t.Parallel()
	const limit = 400 << 10
	text, err := os.ReadFile("testdata/update_sizes.json")
	if err != nil {
		t.Fatal(err)
	}
	var captures []sizeCapture
	if err := json.Unmarshal(text, &captures); err != nil {
		t.Fatal(err)
	}
	for _, c := range captures {
		if got := c.parse(t, c.Padding).writtenSize(); got != limit {
			t.Errorf("%s: %d bytes, want %d", c.Update, got, limit)
		}
		if c.parse(t, c.Padding).WritesMoreThan(limit) || !c.parse(t, c.Padding+1).WritesMoreThan(limit) {
			t.Errorf("%s: not accepted up to %d bytes", c.Update, c.Padding)
		}
	}
}
