package script

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

func TestScriptResultsAreValidated(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"", "v", "e", "x1", "v{", "u1", "undefined", "v" + strings.Repeat("[", 1000) +
		strings.Repeat("]", 1000),
		"v[" + strings.Repeat("0,", maxNodes) + "0]", "v\"" + strings.Repeat("x", maxText) + `"`, "v\x00", "v1 2", "v1e999"} {
		if v, thrown, err := readAnswer(answer); err == nil {
			t.Errorf("%.20q is %s, %v", answer, v.JSON(), thrown)
		}
	}
	for answer, want := range map[string]exception{
		`e{"text":"a","number":404,"stack":"s"}`:   {text: "a", number: 404, stack: "s"},
		`e{"text":"a","number":70000}`:             {text: "a"},
		`e{"text":"a","number":-1}`:                {text: "a"},
		`e{"text":7,"number":"x","stack":{"a":1}}`: {text: "Error"},
		`e[]`:   {text: "Error"},
		`enull`: {text: "Error"},
		`e{"text":"InternalError: string too long"}`:    {text: "RangeError: Invalid string length"},
		`e{"text":"\ud800","__proto__":{"number":404}}`: {text: "\ufffd"},
	} {
		if _, thrown, err := readAnswer(answer); err != nil || *thrown != want {
			t.Errorf("%s is %+v, %v", answer, thrown, err)
		}
	}
}

func FuzzReadAnswer(f *testing.F) {
	for _, seed := range []string{"u", "v1", `v{"a":[1,{"b":"\ud800"}]}`,
		`e{"text":"a","number":404,"stack":"    at f (x.js:1:2)\n"}`, "e", "v", "v[[[["} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		v, thrown, err := readAnswer(answer)
		if err != nil && (v.Defined() && thrown != nil) {
			t.Errorf("%q is a value, an exception and %v", answer, err)
		}
		if err == nil && thrown != nil {
			if thrown.number < 0 || thrown.number > 0xFFFF || len(frames(thrown.stack)) > len(answer)+100*maxFrames {
				t.Errorf("%q: %+v", answer, thrown)
			}
		}
		if err == nil && v.Defined() {
			if again, err := doc.Parse([]byte(v.JSON())); err != nil || again.JSON() != v.JSON() {
				t.Errorf("%q is %s, and then %s, %v", answer, v.JSON(), again.JSON(), err)
			}
		}
	})
}

// TestValuesRoundTrip passes values to a script and back.
func TestValuesRoundTrip(t *testing.T) {
	t.Parallel()
	f := newEngine().Functions(t.Context(), func(string) (string, bool) {
		return `function same(...a) { return a.length === 1 ? a[0] : a.map(x => typeof x); }`, true
	})
	defer f.Close()
	for _, text := range []string{`0`, `1`, `-1`, `2147483647`, `-2147483648`, `2147483648`, `0.1`, `1e21`, `-1.5e-300`,
		`1.7976931348623157e308`, `5e-324`,
		`9007199254740993`, `true`, `false`, `null`, `""`, `"x"`, `"\u0000\ud83d\ude00\u2028"`, `[]`, `{}`,
		`{"__proto__":{"a":1},"constructor":1,"toJSON":2}`,
		`[1,[2,[3,{"a":[null,true]}]]]`, `{"":0," ":1}`, `{"2":1,"1":2}`} {
		v := values(t, text)[0]
		if got, err := f.Call("same", []doc.Value{v}); err != nil || doc.Compare(got, v) != 0 {
			t.Errorf("%s: %s, %v", text, got.JSON(), err)
		}
	}
	got, err := f.Call("same", []doc.Value{{}, doc.NullValue(), {}, doc.Number(1)})
	if want := `["undefined","object","undefined","number"]`; err != nil || got.JSON() != want {
		t.Errorf("%s, %v", got.JSON(), err)
	}
	if got, err := f.Call("same", []doc.Value{{}}); err != nil || got.Defined() {
		t.Errorf("undefined: %s, %v", got.JSON(), err)
	}
}
