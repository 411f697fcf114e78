package item

import (
	"errors"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// TestScalarForms decodes one value in every form that JSON allows: what is read as a whole, and what is read member by
// member.
func TestScalarForms(t *testing.T) {
	t.Parallel()
	const text, number, binary = `{"S":"a"}`, `{"N":"1"}`, `{"B":"YQ=="}`
	for doc, want := range map[string]struct {
		value string
		err   error
	}{
		text:                           {text, nil},
		`{ "S":"a"}`:                   {text, nil},
		`{"S" : "a" } `:                {text, nil},
		`{"S":"a" }`:                   {text, nil},
		`{"\u0053":"a"}`:               {text, nil},
		`{"S":"\u0061"}`:               {text, nil},
		`{"S":"a","X":"b"}`:            {text, nil},
		`{"X":"b","S":"a"}`:            {text, nil},
		`{"S":"a","N":null}`:           {text, nil},
		`{"N":"1.0"}`:                  {number, nil},
		`{"N":"1","X":[{"S":"a"}]}`:    {number, nil},
		binary:                         {binary, nil},
		`{"S":"a","S":"b"}`:            {"", ErrManyTypes},
		`{"S":"a","N":"1"}`:            {"", ErrManyTypes},
		`{"N":"1" , "BOOL":true}`:      {"", ErrManyTypes},
		`{"S":"a"`:                     {"", jsonread.ErrSyntax},
		`{"S":"a",}`:                   {"", jsonread.ErrSyntax},
		`{"S":"a`:                      {"", jsonread.ErrSyntax},
		`{"S":"a\`:                     {"", jsonread.ErrSyntax},
		"{\"S\":\"12345678\x01\"}":     {"", jsonread.ErrSyntax},
		`{"S":"1234567\"8","X":"1\\"}`: {`{"S":"1234567\"8"}`, nil},
	} {
		var d Decoder
		r, err := jsonread.New([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		v, err := d.Value(&r)
		if err == nil {
			err = errors.Join(d.Err(), r.End())
		}
		if !errors.Is(err, want.err) {
			t.Errorf("%s: %v, want %v", doc, err, want.err)
		} else if err == nil && (string(v.AppendJSON(nil)) != want.value || len(v) > len(want.value)) {
			t.Errorf("%s: %s, %d bytes, want %s", doc, v.AppendJSON(nil), len(v), want.value)
		}
	}
}
