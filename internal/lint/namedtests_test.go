package lint

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTestsNamedInDocsExist checks that each test and scenario that the pages of promises name exists.
func TestTestsNamedInDocsExist(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"threat-model.md", "reliability.md"} {
		checkNamedTests(t, page)
	}
}

func checkNamedTests(t *testing.T, page string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	for _, s := range allSources(t) {
		for _, f := range functions(s) {
			if s.isTest() && strings.HasPrefix(f.Name.Name, "Test") {
				tests[path.Base(s.folder())+"."+f.Name.Name] = true
			}
		}
	}
	named := regexp.MustCompile("`([a-z]+\\.Test[A-Za-z]+|[a-z]+(?:\\.wire)?\\.feature)`").FindAllStringSubmatch(
		string(text), -1)
	if len(named) < 20 {
		t.Errorf("docs/%s names %d tests", page, len(named))
	}
	for _, name := range named {
		features, err := filepath.Glob(filepath.Join("..", "..", "features", "*", name[1]))
		if err != nil {
			t.Fatal(err)
		}
		if !tests[name[1]] && len(features) == 0 {
			t.Errorf("docs/%s names %s, which does not exist", page, name[1])
		}
	}
}
