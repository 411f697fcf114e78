package lint

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThreatsAreShownByTestsThatExist holds that each test and scenario that the threat model names is there.
func TestThreatsAreShownByTestsThatExist(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "threat-model.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	for _, s := range sources(t) {
		for _, f := range functions(s) {
			if s.isTest() && strings.HasPrefix(f.Name.Name, "Test") {
				tests[path.Base(s.folder())+"."+f.Name.Name] = true
			}
		}
	}
	named := regexp.MustCompile("`([a-z]+\\.Test[A-Za-z]+|[a-z]+\\.feature)`").FindAllStringSubmatch(string(text), -1)
	if len(named) < 20 {
		t.Errorf("the threat model names %d tests", len(named))
	}
	for _, name := range named {
		features, err := filepath.Glob(filepath.Join("..", "..", "features", "*", name[1]))
		if err != nil {
			t.Fatal(err)
		}
		if !tests[name[1]] && len(features) == 0 {
			t.Errorf("docs/threat-model.md names %s, which is not there", name[1])
		}
	}
}
