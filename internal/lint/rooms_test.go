package lint

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of the rooms into CONTRIBUTING.md")

// table is the file of the rooms.
const table = "internal/lint/rooms.txt"

// A room is a group of packages with one subject, which may import only certain other rooms. The file explains its
// fields.
type room struct {
	name, holds    string
	packages       []string
	imports, tests []string
	without        string
}

// readRooms parses the rooms: a blank line between two, a line for each field, which is continued by indented lines.
func readRooms(t *testing.T) (all []room) {
	t.Helper()
	text, err := os.ReadFile("rooms.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(strings.ReplaceAll(string(text), "\n  ", " "), "\n\n") {
		var r room
		for line := range strings.Lines(block) {
			if err := r.set(strings.TrimSpace(line)); err != nil {
				t.Fatalf("%s: %q: %v", table, line, err)
			}
		}
		if r.name != "" {
			all = append(all, r)
		}
	}
	return all
}

func (r *room) set(line string) error {
	if line == "" || line[0] == '#' {
		return nil
	}
	field, value, _ := strings.Cut(line, ": ")
	switch field {
	case "room":
		r.name = value
	case "holds":
		r.holds = value
	case "packages":
		r.packages = strings.Fields(value)
	case "imports":
		r.imports = strings.Split(value, ", ")
	case "tests":
		r.tests = strings.Split(value, ", ")
	case "without":
		r.without = value
	default:
		return fmt.Errorf("there is no field %q", field)
	}
	return nil
}

// The table in CONTRIBUTING.md is between these lines.
const (
	tableBegins = "<!-- from internal/lint/rooms.txt, by go test ./internal/lint -run TestRooms -update -->\n"
	tableEnds   = "<!-- end of the rooms -->\n"
)

// TestRoomsAreInContributing compares the table in CONTRIBUTING.md with the rooms.
func TestRoomsAreInContributing(t *testing.T) {
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
	want := before + tableBegins + markdown(readRooms(t)) + tableEnds + after
	if want == string(text) {
		return
	}
	if !*update {
		t.Fatal("CONTRIBUTING.md does not have the rooms as they are: go test ./internal/lint -run TestRooms -update")
	}
	if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

func markdown(all []room) string {
	var b strings.Builder
	b.WriteString("\n| room | packages | holds | may import |\n|---|---|---|---|\n")
	for _, r := range all {
		imports := strings.Join(r.imports, ", ")
		if slices.Contains(r.imports, everything) {
			imports = "everything"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", r.name, strings.Join(r.packages, "`, `"), r.holds, imports)
	}
	b.WriteByte('\n')
	return b.String()
}
