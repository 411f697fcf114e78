package patch_test

import (
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/patch"
)

// TestPatches applies patches: "document" sets the document, and "patch" applies a patch to it.
func TestPatches(t *testing.T) {
	t.Parallel()
	var document doc.Value
	datadriven.RunTest(t, "testdata/patches", func(t *testing.T, d *datadriven.TestData) string {
		v, err := doc.Parse([]byte(d.Input))
		if err != nil {
			t.Fatal(err)
		}
		if d.Cmd == "document" {
			document = v
			return ""
		}
		p, err := patch.Parse(v)
		if err != nil {
			return err.Error() + "\n"
		}
		after, err := p.Apply(document)
		if err != nil {
			return err.Error() + "\n"
		}
		return after.JSON() + "\n"
	})
}

// FuzzPatch checks that every patch yields either an error or a document that can be written and parsed, and leaves the
// original document unchanged.
func FuzzPatch(f *testing.F) {
	for _, seed := range []string{`[{"op":"add","path":"/a/-","value":1}]`,
		`{"operations":[{"op":"move","from":"/a/0","path":"/o/x"},{"op":"incr","path":"/n","value":-1}]}`,
		`[{"op":"set","path":"/o/a~1b","value":{"x":[]}},{"op":"remove","path":"/a/1"},{"op":"replace","path":"/n","value":null}]`} {
		f.Add(seed)
	}
	const text = `{"id":"1","a":[1,[2],{"b":3}],"o":{"x":{"y":1}},"n":5}`
	f.Fuzz(func(t *testing.T, body string) {
		v, err := doc.Parse([]byte(body))
		if err != nil {
			return
		}
		p, err := patch.Parse(v)
		if err != nil {
			return
		}
		document, err := doc.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		after, err := p.Apply(document)
		if document.JSON() != text {
			t.Fatalf("the document became %s", document.JSON())
		}
		if err != nil {
			return
		}
		if _, err := doc.Parse(doc.Append(nil, after)); err != nil {
			t.Fatalf("%s: %v", after.JSON(), err)
		}
	})
}
