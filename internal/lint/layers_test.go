package lint

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of layers to CONTRIBUTING.md")

// layersFile is the file that defines the layers.
const layersFile = "internal/lint/layers.txt"

// A layer is a group of packages that may import only certain other layers. The file explains its
// fields.
type layer struct {
	name, contents string
	packages       []string
	imports, tests []string
	forbidden      string
}

// readLayers parses the layers: separated by blank lines, one line per field, continued by indented lines.
func readLayers(t *testing.T) (all []layer) {
	t.Helper()
	text, err := os.ReadFile("layers.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(strings.ReplaceAll(string(text), "\n  ", " "), "\n\n") {
		var l layer
		for line := range strings.Lines(block) {
			if err := l.set(strings.TrimSpace(line)); err != nil {
				t.Fatalf("%s: %q: %v", layersFile, line, err)
			}
		}
		if l.name != "" {
			all = append(all, l)
		}
	}
	return all
}

func (l *layer) set(line string) error {
	if line == "" || line[0] == '#' {
		return nil
	}
	field, value, _ := strings.Cut(line, ": ")
	switch field {
	case "layer":
		l.name = value
	case "contents":
		l.contents = value
	case "packages":
		l.packages = strings.Fields(value)
	case "imports":
		l.imports = strings.Split(value, ", ")
	case "tests":
		l.tests = strings.Split(value, ", ")
	case "forbidden":
		l.forbidden = value
	default:
		return fmt.Errorf("there is no field %q", field)
	}
	return nil
}

// The table in CONTRIBUTING.md is between these lines.
const (
	tableBegins = "<!-- from internal/lint/layers.txt, by go test ./internal/lint -run TestLayers -update -->\n"
	tableEnds   = "<!-- end of the layers -->\n"
)

// TestLayersAreInContributing compares the table in CONTRIBUTING.md with the layers.
func TestLayersAreInContributing(t *testing.T) {
	t.Parallel()
	const name = "../../CONTRIBUTING.md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		t.Fatalf("CONTRIBUTING.md has no %q before %q", tableBegins, tableEnds)
	}
	want := before + tableBegins + markdown(readLayers(t)) + tableEnds + after
	if want == string(text) {
		return
	}
	if !*update {
		t.Fatal("CONTRIBUTING.md is not up to date: run go test ./internal/lint -run TestLayers -update")
	}
	if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

func markdown(all []layer) string {
	var b strings.Builder
	b.WriteString("\n| layer | packages | contents | may import |\n|---|---|---|---|\n")
	for _, l := range all {
		imports := strings.Join(l.imports, ", ")
		if slices.Contains(l.imports, anyLayer) {
			imports = "everything"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", l.name, strings.Join(l.packages, "`, `"), l.contents, imports)
	}
	b.WriteByte('\n')
	return b.String()
}
