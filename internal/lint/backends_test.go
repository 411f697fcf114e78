package lint

import (
	"go/ast"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// role is one row of the table of roles in CONTRIBUTING.md.
type role struct {
	file     string
	declares []string // patterns of path.Match; a method is Type.Method
}

// missingFiles lists files that a backend does not have, and why.
func missingFiles() map[string]string {
	return map[string]string{
		"notification/items.go":       "documents of Cosmos DB are the types of model.go, as encoding/json writes them",
		"notification/description.go": "there are no tables: create.go makes the containers that schema.go describes",
	}
}

// missingDeclarations lists declarations of a role that a backend does not have, and why.
func missingDeclarations() map[string]string {
	return map[string]string{
		"notification/Description": "there are no tables",
		"notification/Schema":      "its schema is Containers, and Locked is the text that the checksum is of",
	}
}

func backends() []string {
	return []string{"devicetoken", "kefir", "notification", "telemetry", "verification"}
}

// TestBackendsHaveTheSameFiles checks every backend against the table of roles in CONTRIBUTING.md: the files exist, and
// what a role declares is declared in its file and in no other.
func TestBackendsHaveTheSameFiles(t *testing.T) {
	t.Parallel()
	roles := parseRoles(t, "../../CONTRIBUTING.md")
	places := declarations(t)
	for _, backend := range backends() {
		for _, r := range roles {
			checkFile(t, backend+"/"+r.file)
			for _, pattern := range r.declares {
				checkDeclared(t, backend, r.file, pattern, places[backend])
			}
		}
	}
}

func checkFile(t *testing.T, file string) {
	t.Helper()
	_, err := os.Stat("../../backend/" + file)
	switch reason := missingFiles()[file]; {
	case err != nil && reason == "":
		t.Errorf("backend/%s: %v; make it, or name the reason in withoutRole", file, err)
	case err == nil && reason != "":
		t.Errorf("backend/%s is there: take it out of withoutRole", file)
	}
}

// checkDeclared checks that the declarations of a pattern are in one file; the methods of a type may also be in files
// whose names begin with that file's name. places has the files of each name.
func checkDeclared(t *testing.T, backend, file, pattern string, places map[string][]string) {
	t.Helper()
	found := false
	for name, files := range places {
		if ok, err := path.Match(pattern, name); err != nil || !ok {
			continue
		}
		found = true
		for _, in := range files {
			if in != file && !(strings.HasSuffix(pattern, ".*") && strings.HasPrefix(in, strings.TrimSuffix(file, ".go")+"_")) {
				t.Errorf("backend/%s/%s declares %s, which belongs in %s", backend, in, name, file)
			}
		}
	}
	switch reason := missingDeclarations()[backend+"/"+pattern]; {
	case !found && reason == "":
		t.Errorf("backend/%s declares no %s; declare it in %s, or name the reason in withoutDeclaration",
			backend, pattern, file)
	case found && reason != "":
		t.Errorf("backend/%s declares %s: take it out of withoutDeclaration", backend, pattern)
	}
}

var (
	roleRow = regexp.MustCompile("(?m)^\\| `([a-z_]+\\.go)` \\|[^|]+\\|([^|]*)\\|$")
	inCode  = regexp.MustCompile("`([^`]+)`")
)

// parseRoles parses the table of roles.
func parseRoles(t *testing.T, page string) []role {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var roles []role
	for _, row := range roleRow.FindAllStringSubmatch(string(text), -1) {
		r := role{file: row[1]}
		for _, name := range inCode.FindAllStringSubmatch(row[2], -1) {
			r.declares = append(r.declares, name[1])
		}
		roles = append(roles, r)
	}
	if len(roles) < 14 {
		t.Fatalf("%s has %d roles, and had 14", page, len(roles))
	}
	return roles
}

// declarations returns the files of each package-level name of each backend. Of the tests it includes only
// world_test.go.
func declarations(t *testing.T) map[string]map[string][]string {
	t.Helper()
	places := map[string]map[string][]string{}
	for _, s := range allSources(t) {
		backend, is := strings.CutPrefix(s.folder(), "backend/")
		file := path.Base(s.name)
		if !is || !slices.Contains(backends(), backend) || s.isTest() && file != "world_test.go" {
			continue
		}
		if places[backend] == nil {
			places[backend] = map[string][]string{}
		}
		for _, name := range declaredNames(s.file) {
			if !s.isTest() || name == "world" {
				places[backend][name] = append(places[backend][name], file)
			}
		}
	}
	return places
}

// declaredNames returns the package-level names of a file; a method is Type.Method.
func declaredNames(file *ast.File) []string {
	var names []string
	for _, declared := range file.Decls {
		switch d := declared.(type) {
		case *ast.FuncDecl:
			names = append(names, strings.TrimPrefix(receiver(d)+"."+d.Name.Name, "."))
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				names = append(names, specNames(spec)...)
			}
		}
	}
	return names
}

func specNames(spec ast.Spec) []string {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		return []string{s.Name.Name}
	case *ast.ValueSpec:
		names := make([]string, len(s.Names))
		for i, name := range s.Names {
			names[i] = name.Name
		}
		return names
	}
	return nil
}

// receiver returns the name of a method's type, or an empty string for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	recvType := f.Recv.List[0].Type
	if pointer, is := recvType.(*ast.StarExpr); is {
		recvType = pointer.X
	}
	if name, is := recvType.(*ast.Ident); is {
		return name.Name
	}
	return ""
}
