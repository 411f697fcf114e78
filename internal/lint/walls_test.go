package lint

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/tabletop-db/tabletop"

// TestRoomsAreKept checks every import against the rooms, and that every room needs what it is allowed to import.
func TestRoomsAreKept(t *testing.T) {
	t.Parallel()
	h := newHouse(readRooms(t))
	for _, problem := range h.problems {
		t.Error(problem)
	}
	missing := map[string]bool{}
	for _, s := range sources(t) {
		from, ok := h.roomOf(s.folder())
		if !ok {
			missing[s.folder()] = true
			continue
		}
		for _, imported := range s.file.Imports {
			path, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if problem := h.check(from, path, s.isTest()); problem != "" {
				t.Errorf("%s: %s", s.fset.Position(imported.Pos()), problem)
			}
		}
	}
	for _, problem := range h.unused() {
		t.Error(problem)
	}
	for folder := range missing {
		t.Errorf("%s is in no room: add it to one in %s", folder, table)
	}
}

// house is all rooms, indexed for lookups.
type house struct {
	rooms    map[string]room   // by name
	of       map[string]string // names of rooms by package
	used     map[allowance]bool
	problems []string
}

// An allowance is that the packages of a room, or only their tests, may import those of another.
type allowance struct {
	from, to string
	test     bool
}

func newHouse(all []room) *house {
	h := &house{rooms: map[string]room{}, of: map[string]string{}, used: map[allowance]bool{}}
	for _, r := range all {
		for _, p := range r.packages {
			if h.of[p] != "" {
				h.problems = append(h.problems, p+" is in "+h.of[p]+" and in "+r.name)
			}
			h.of[p] = r.name
		}
		if r.holds == "" || h.rooms[r.name].name != "" {
			h.problems = append(h.problems, "the room "+r.name+" is there twice, or does not say what it holds")
		}
		h.rooms[r.name] = r
	}
	for _, r := range all {
		for _, name := range slices.Concat(r.imports, r.tests) {
			if h.rooms[name].name == "" && name != everything {
				h.problems = append(h.problems, r.name+" may import "+name+", which is no room")
			}
		}
	}
	return h
}

// everything means all rooms in the list of those that one may import.
const everything = "*"

// roomOf returns the room of a package: the one that names it, or the nearest parent with NAME/....
func (h *house) roomOf(folder string) (room, bool) {
	if name, ok := h.of[folder]; ok {
		return h.rooms[name], true
	}
	for up := folder; ; {
		if name, ok := h.of[up+"/..."]; ok {
			return h.rooms[name], true
		}
		i := strings.LastIndexByte(up, '/')
		if i < 0 {
			return room{}, false
		}
		up = up[:i]
	}
}

// check returns why a room may not import a package, or an empty string.
func (h *house) check(from room, path string, test bool) string {
	if path == from.without && !test {
		return "the room " + from.name + " may not import " + path
	}
	folder, ours := strings.CutPrefix(path+"/", module+"/")
	if !ours {
		return ""
	}
	folder = strings.TrimSuffix(folder, "/")
	if folder == "" {
		folder = "."
	}
	to, ok := h.roomOf(folder)
	if !ok {
		return folder + " is in no room: add it to one in " + table
	}
	h.used[allowance{from.name, to.name, test}] = true
	may := from.imports
	if test {
		may = slices.Concat(may, from.tests, []string{testTools})
	}
	if to.name == from.name || slices.Contains(may, to.name) || slices.Contains(may, everything) {
		return ""
	}
	return "the room " + from.name + " may not import " + folder + " of " + to.name + ": turn the arrow, or allow it in " +
		table
}

// unused returns the allowances that no import checked so far needs.
func (h *house) unused() (problems []string) {
	for _, from := range h.rooms {
		for _, to := range from.imports {
			if to != everything && !h.used[allowance{from.name, to, false}] {
				problems = append(problems, "the room "+from.name+" may import "+to+", and does not: delete it in "+table)
			}
		}
		for _, to := range from.tests {
			if !h.used[allowance{from.name, to, true}] || slices.Contains(from.imports, to) {
				problems = append(problems, "the tests of the room "+from.name+" may import "+to+", and need not: delete it in "+
					table)
			}
		}
	}
	return problems
}

// testTools is the room that the tests of all rooms may import.
const testTools = "test tools"

// TestCosmosDBIsInOrder checks the order of Cosmos DB's packages, the lowest first: each may import only those before
// it.
func TestCosmosDBIsInOrder(t *testing.T) {
	t.Parallel()
	const service = "emulator/internal/cosmos/"
	order := []string{"wire", "continuation", "throughput", "index", "engine", "operation", "auth", "query", "scripts",
		"items", "resources"}
	for _, s := range sources(t) {
		at := slices.Index(order, strings.TrimPrefix(s.folder(), service))
		for i, above := range order {
			if at >= 0 && i > at && s.imports(module+"/"+service+above) {
				t.Errorf("%s imports %s, which comes after %s", s.name, above, order[at])
			}
		}
	}
}

func TestHouse(t *testing.T) {
	t.Parallel()
	h := newHouse([]room{
		{name: "low", packages: []string{"a", "a/b"}, holds: "x", without: "net/http"},
		{name: "high", packages: []string{"c/..."}, holds: "x", imports: []string{"low"}, tests: []string{"top"}},
		{name: "top", packages: []string{".", "c/top"}, holds: "x", imports: []string{everything}},
		{name: testTools, packages: []string{"t"}, holds: "x"},
	})
	for _, c := range []struct {
		from, path string
		test       bool
		want       string
	}{
		{"a", "/a/b", false, ""},
		{"a", "/c/d", false, "the room low may not import c/d of high"},
		{"a", "/t", false, "the room low may not import t"},
		{"a", "/t", true, ""},
		{"a", "/new", false, "new is in no room: add it to one in " + table},
		{"a/b", "", false, "the room low may not import . of top"},
		{"c/d/e", "/a", false, ""},
		{"c/d/e", "/c/top", false, "the room high may not import c/top of top"},
		{"c/d/e", "/c/top", true, ""},
		{"c/top", "/c/d", false, ""},
	} {
		from, _ := h.roomOf(c.from)
		if got := h.check(from, module+c.path, c.test); (c.want == "") != (got == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s imports %q: %q, want %q", c.from, c.path, got, c.want)
		}
	}
	if low, _ := h.roomOf("a"); h.check(low, "net/http", false) == "" || h.check(low, "net/http", true) != "" {
		t.Error("net/http")
	}
	if got := h.unused(); len(got) != 0 {
		t.Errorf("unused: %q", got)
	}
	idle := newHouse([]room{{name: "one", holds: "x", imports: []string{"two"}, tests: []string{"two"}},
		{name: "two", holds: "x"}})
	if got := idle.unused(); len(got) != 2 {
		t.Errorf("unused: %q", got)
	}
	if _, ok := h.roomOf("b"); ok || len(h.problems) != 0 {
		t.Errorf("b has a room, or %q", h.problems)
	}
}
