package jsonread_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// skip reads a whole document with Skip.
func skip(doc string) error {
	r, err := jsonread.New([]byte(doc))
	if err != nil {
		return err
	}
	if err := r.Skip(); err != nil {
		return err
	}
	return r.End()
}

func TestGrammarIsThatOfTheStandardLibrary(t *testing.T) {
	t.Parallel()
	docs := []string{
		``, ` `, `{}`, `[]`, `{"a":1}`, `{"a":1,}`, `[1,]`, `[1 2]`, `{"a" 1}`, `{a:1}`, `01`, `-`, `-0`, `1.`,
		`1.5e`, `1e+9`, `.5`,
		`"\u00e9"`, `"\u00"`, `"\x"`, "\"\n\"", `"\ud83d\ude00"`, `"\ud83d"`, `nul`, `null`, `true`, `tru`, `[[[[]]]]`,
		`[[[[]]]`, `{"a":{"b":[{"c":null}]}}`,
		`"\`, `"\"`, `{"a":1}}`, `[]]`, `{"":0}`, "[1]\t\r\n", `+1`, `"` + "\xff" + `"`,
	}
	for _, doc := range docs {
		want := json.Valid([]byte(doc))
		if doc == `"`+"\xff"+`"` {
			want = false // the standard library lets invalid UTF-8 pass
		}
		if got := skip(doc) == nil; got != want {
			t.Errorf("%q: valid is %v, want %v", doc, got, want)
		}
	}
}

func TestStringsAreUnescaped(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`"plain"`:              "plain",
		`"\"\\\/\b\f\n\r\t"`:   "\"\\/\b\f\n\r\t",
		`"\u00e9\ud83d\ude00"`: "é😀",
		`"\ud83dx"`:            "\ufffdx",
		`"\udc00\u0041"`:       "\ufffdA",
	} {
		r, _ := jsonread.New([]byte(in))
		if got, err := r.String(); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestAMillionBracketsDoNotKillTheProcess(t *testing.T) {
	t.Parallel()
	if skip(strings.Repeat("[", 1<<22)) == nil {
		t.Error("four million open brackets passed")
	}
	if err := skip(strings.Repeat("[", 10000) + strings.Repeat("]", 10000)); err != nil {
		t.Error(err)
	}
}

func TestMembersArriveInOrder(t *testing.T) {
	t.Parallel()
	r, _ := jsonread.New([]byte(`{"a":1,"b\u0063":[true,"x"],"d":null}`))
	var got []string
	err := r.Object(func(key []byte) error {
		got = append(got, string(key))
		return r.Skip()
	})
	if err != nil || strings.Join(got, " ") != "a bc d" {
		t.Errorf("%v %v", got, err)
	}
}

func FuzzSkip(f *testing.F) {
	f.Add(`{"a":[1,2,{"b":"\u00e9"}],"c":-1.5e7}`)
	f.Add(`"\ud83d\ude00"`)
	f.Fuzz(func(t *testing.T, doc string) {
		if skip(doc) == nil && !json.Valid([]byte(doc)) {
			t.Errorf("%q passed, and is not JSON", doc)
		}
	})
}
