package doc_test

import (
	"errors"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

func TestParseIndexPath(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"/*": "/*", "/?": "/?", "/a/?": `/"a"/?`, "/a/*": `/"a"/*`, `/"a b"/?`: `/"a b"/?`, `/'a/b'/c/?`: `/"a/b"/"c"/?`,
		"/a/[]/b/?": `/"a"/[]/"b"/?`, "/a/[]/*": `/"a"/[]/*`, `/"\"x"/?`: `/"\"x"/?`, "/_ts/?": `/"_ts"/?`,
	} {
		p, err := doc.ParseIndexPath(text)
		if err != nil || p.String() != want {
			t.Errorf("%s: %s, %v", text, p, err)
		}
	}
}

func TestInvalidPathsReportTheirPosition(t *testing.T) {
	t.Parallel()
	for text, at := range map[string]int{"a/?": 0, "/a-b/?": 2, "//?": 1, "/*/a": 1, `/"a`: 3, "/a/?/b": 3,
		`/"a"b/?`: 4, "/a//*": 3} {
		_, err := doc.ParseIndexPath(text)
		var path *doc.PathError
		if !errors.As(err, &path) || path.At != at {
			t.Errorf("%s: %+v, %v", text, path, err)
		}
	}
	for _, text := range []string{"", "/a", "/a/[]"} {
		if _, err := doc.ParseIndexPath(text); !errors.Is(err, doc.ErrPathEnd) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestMorePrecisePathWins(t *testing.T) {
	t.Parallel()
	order := []string{"/*", "/a/*", "/a/?", "/a/b/*", "/a/b/?"}
	for i, text := range order[1:] {
		lower, _ := doc.ParseIndexPath(order[i])
		higher, _ := doc.ParseIndexPath(text)
		if lower.Precision() >= higher.Precision() {
			t.Errorf("%s is not more precise than %s", text, order[i])
		}
	}
	wild, _ := doc.ParseIndexPath("/a/*")
	one, _ := doc.ParseIndexPath("/a/?")
	a, ab := []doc.PathStep{{Name: "a"}}, []doc.PathStep{{Name: "a"}, {Name: "b"}}
	if !wild.Covers(a) || !wild.Covers(ab) || !one.Covers(a) || one.Covers(ab) || one.Covers([]doc.PathStep{{Name: "b"}}) {
		t.Error("a path covers what it should not, or not what it should")
	}
}

func TestWalkVisitsArrayElements(t *testing.T) {
	t.Parallel()
	v, err := doc.Parse([]byte(`{"a":[{"b":1},{"b":2},{"c":3}],"d":{"e":null}}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"/a/[]/b": "12", "/d/e": "null", "/d/f": "", "/a/b": ""} {
		p, err := doc.ParseValuePath(text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		doc.Walk(v, p.Steps, func(v doc.Value) { got += v.JSON() })
		if got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func FuzzIndexPath(f *testing.F) {
	for _, seed := range []string{"/*", `/"a b"/[]/?`, "/a/'b'/*", "/\x00", `/"\"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := doc.ParseIndexPath(text)
		if err != nil {
			return
		}
		again, err := doc.ParseIndexPath(p.String())
		if err != nil || again.String() != p.String() {
			t.Fatalf("%q is %s, and that %s: %v", text, p, again, err)
		}
	})
}
