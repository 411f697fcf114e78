package builtin

import (
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

func testEnv() *Env {
	return &Env{Now: time.Date(2026, 3, 29, 1, 30, 0, 123456700, time.UTC), Random: func() uint64 { return 1 << 63 }}
}

// values parses JSON values. The text "undefined" is undefined.
func values(t *testing.T, texts ...string) []doc.Value {
	t.Helper()
	out := make([]doc.Value, len(texts))
	for i, text := range texts {
		if text == "undefined" {
			continue
		}
		v, err := doc.Parse([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		out[i] = v
	}
	return out
}

// called returns the result of "NAME arg | arg" as JSON.
func called(t *testing.T, text string) string {
	t.Helper()
	name, rest, _ := strings.Cut(text, " ")
	f, ok := Lookup(name)
	if !ok {
		t.Fatalf("%s: no such function", text)
	}
	var args []string
	if rest != "" {
		args = strings.Split(rest, " | ")
	}
	if len(args) < f.Min || f.Max >= 0 && len(args) > f.Max {
		t.Fatalf("%s: %d arguments, not %d to %d", text, len(args), f.Min, f.Max)
	}
	result := f.Call(testEnv(), values(t, args...))
	if !result.Defined() {
		return "undefined"
	}
	return result.JSON()
}

// expect calls functions and compares their results.
func expect(t *testing.T, cases map[string]string) {
	t.Helper()
	for text, want := range cases {
		if got := called(t, text); got != want {
			t.Errorf("%s: %s, not %s", text, got, want)
		}
	}
}

func TestNamesAreCaseInsensitive(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"abs", "DateTimeAdd", "is_DEFINED"} {
		if _, ok := Lookup(name); !ok {
			t.Errorf("%s is not found", name)
		}
	}
	if _, ok := Lookup("NOSUCH"); ok {
		t.Error("a function that does not exist is found")
	}
}

// TestFunctionsTakeAnything checks that no function panics, whatever its arguments.
func TestFunctionsTakeAnything(t *testing.T) {
	t.Parallel()
	odd := values(t, "undefined", "null", "true", "-1", "1e300", "9223372036854775807", `""`, `"é\u0000"`, "[]",
		`[1,"a",{}]`, "{}",
		`{"type":"Polygon","coordinates":[[[0,0]]]}`)
	for _, name := range Names() {
		f, _ := Lookup(name)
		for n := f.Min; n <= max(f.Max, f.Min+1); n++ {
			args := make([]doc.Value, n)
			tries := 1
			for range n {
				tries = min(tries*len(odd), 2000)
			}
			for i := range tries {
				for j, rest := 0, i; j < n; j++ {
					args[j] = odd[rest%len(odd)]
					rest /= len(odd)
				}
				f.Call(testEnv(), args)
			}
		}
	}
}
