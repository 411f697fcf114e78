package lint

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/tabletop-db/tabletop"

// TestImportsFollowTheLayers checks every import against the layers, and that every allowed import is used.
func TestImportsFollowTheLayers(t *testing.T) {
	t.Parallel()
	layers := newLayerIndex(readLayers(t))
	for _, problem := range layers.problems {
		t.Error(problem)
	}
	missing := map[string]bool{}
	for _, s := range allSources(t) {
		from, ok := layers.layerOf(s.folder())
		if !ok {
			missing[s.folder()] = true
			continue
		}
		for _, imported := range s.file.Imports {
			path, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if problem := layers.check(from, path, s.isTest()); problem != "" {
				t.Errorf("%s: %s", s.fset.Position(imported.Pos()), problem)
			}
		}
	}
	for _, problem := range layers.unused() {
		t.Error(problem)
	}
	for folder := range missing {
		t.Errorf("%s is in no layer: add it to one in %s", folder, layersFile)
	}
}

// layerIndex holds all layers, indexed for lookups.
type layerIndex struct {
	layers     map[string]layer  // by name
	layerNames map[string]string // layer names by package
	used       map[allowedImport]bool
	problems   []string
}

// An allowedImport says that the packages of a layer, or only their tests, may import those of another.
type allowedImport struct {
	from, to string
	test     bool
}

func newLayerIndex(all []layer) *layerIndex {
	x := &layerIndex{layers: map[string]layer{}, layerNames: map[string]string{}, used: map[allowedImport]bool{}}
	for _, l := range all {
		for _, p := range l.packages {
			if x.layerNames[p] != "" {
				x.problems = append(x.problems, p+" is in "+x.layerNames[p]+" and in "+l.name)
			}
			x.layerNames[p] = l.name
		}
		if l.contents == "" || x.layers[l.name].name != "" {
			x.problems = append(x.problems, "the layer "+l.name+" is defined twice or has no contents")
		}
		x.layers[l.name] = l
	}
	for _, l := range all {
		for _, name := range slices.Concat(l.imports, l.tests) {
			if x.layers[name].name == "" && name != anyLayer {
				x.problems = append(x.problems, l.name+" may import "+name+", which is not a layer")
			}
		}
	}
	return x
}

// anyLayer stands for all layers in a list of imports.
const anyLayer = "*"

// layerOf returns the layer of a package: the one that names it, or the nearest parent with NAME/....
func (x *layerIndex) layerOf(folder string) (layer, bool) {
	if name, ok := x.layerNames[folder]; ok {
		return x.layers[name], true
	}
	for parent := folder; ; {
		if name, ok := x.layerNames[parent+"/..."]; ok {
			return x.layers[name], true
		}
		i := strings.LastIndexByte(parent, '/')
		if i < 0 {
			return layer{}, false
		}
		parent = parent[:i]
	}
}

// check returns why a layer may not import a package, or an empty string.
func (x *layerIndex) check(from layer, path string, test bool) string {
	if path == from.forbidden && !test {
		return "the layer " + from.name + " may not import " + path
	}
	folder, inModule := strings.CutPrefix(path+"/", module+"/")
	if !inModule {
		return ""
	}
	folder = strings.TrimSuffix(folder, "/")
	if folder == "" {
		folder = "."
	}
	to, ok := x.layerOf(folder)
	if !ok {
		return folder + " is in no layer: add it to one in " + layersFile
	}
	x.used[allowedImport{from.name, to.name, test}] = true
	allowed := from.imports
	if test {
		allowed = slices.Concat(allowed, from.tests, []string{testTools})
	}
	if to.name == from.name || slices.Contains(allowed, to.name) || slices.Contains(allowed, anyLayer) {
		return ""
	}
	return "the layer " + from.name + " may not import " + folder + " of " + to.name +
		": reverse the dependency, or allow it in " +
		layersFile
}

// unused returns the allowed imports that no import checked so far needs.
func (x *layerIndex) unused() (problems []string) {
	for _, from := range x.layers {
		for _, to := range from.imports {
			if to != anyLayer && !x.used[allowedImport{from.name, to, false}] {
				problems = append(problems, "the layer "+from.name+" may import "+to+", but does not: delete it in "+layersFile)
			}
		}
		for _, to := range from.tests {
			if !x.used[allowedImport{from.name, to, true}] || slices.Contains(from.imports, to) {
				problems = append(problems, "the tests of the layer "+from.name+" may import "+to+
					", but do not need to: delete it in "+
					layersFile)
			}
		}
	}
	return problems
}

// testTools is the layer that the tests of all layers may import.
const testTools = "test utilities"

// TestCosmosDBIsInOrder checks the order of Cosmos DB's packages, the lowest first: each may import only those before
// it.
func TestCosmosDBIsInOrder(t *testing.T) {
	t.Parallel()
	const service = "emulator/internal/cosmos/"
	order := []string{"wire", "continuation", "throughput", "index", "engine", "operation", "auth", "query", "scripts",
		"items", "resources"}
	for _, s := range allSources(t) {
		at := slices.Index(order, strings.TrimPrefix(s.folder(), service))
		for i, above := range order {
			if at >= 0 && i > at && s.importsPath(module+"/"+service+above) {
				t.Errorf("%s imports %s, which comes after %s", s.name, above, order[at])
			}
		}
	}
}

func TestLayerIndex(t *testing.T) {
	t.Parallel()
	layers := newLayerIndex([]layer{
		{name: "low", packages: []string{"a", "a/b"}, contents: "x", forbidden: "net/http"},
		{name: "high", packages: []string{"c/..."}, contents: "x", imports: []string{"low"}, tests: []string{"top"}},
		{name: "top", packages: []string{".", "c/top"}, contents: "x", imports: []string{anyLayer}},
		{name: testTools, packages: []string{"t"}, contents: "x"},
	})
	for _, c := range []struct {
		from, path string
		test       bool
		want       string
	}{
		{"a", "/a/b", false, ""},
		{"a", "/c/d", false, "the layer low may not import c/d of high"},
		{"a", "/t", false, "the layer low may not import t"},
		{"a", "/t", true, ""},
		{"a", "/new", false, "new is in no layer: add it to one in " + layersFile},
		{"a/b", "", false, "the layer low may not import . of top"},
		{"c/d/e", "/a", false, ""},
		{"c/d/e", "/c/top", false, "the layer high may not import c/top of top"},
		{"c/d/e", "/c/top", true, ""},
		{"c/top", "/c/d", false, ""},
	} {
		from, _ := layers.layerOf(c.from)
		if got := layers.check(from, module+c.path, c.test); (c.want == "") != (got == "") ||
			!strings.HasPrefix(got, c.want) {
			t.Errorf("%s imports %q: %q, want %q", c.from, c.path, got, c.want)
		}
	}
	if low, _ := layers.layerOf("a"); layers.check(low, "net/http", false) == "" ||
		layers.check(low, "net/http", true) != "" {
		t.Error("net/http")
	}
	if got := layers.unused(); len(got) != 0 {
		t.Errorf("unused: %q", got)
	}
	idle := newLayerIndex([]layer{{name: "one", contents: "x", imports: []string{"two"}, tests: []string{"two"}},
		{name: "two", contents: "x"}})
	if got := idle.unused(); len(got) != 2 {
		t.Errorf("unused: %q", got)
	}
	if _, ok := layers.layerOf("b"); ok || len(layers.problems) != 0 {
		t.Errorf("b has a layer, or %q", layers.problems)
	}
}
