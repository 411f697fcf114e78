package lint

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinksInDocsExist checks that each link from a page to another file of the project exists.
func TestLinksInDocsExist(t *testing.T) {
	t.Parallel()
	pages := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." && d.Name() != "." ||
			d.Name() == "reports" || d.Name() == "bin" || d.Name() == "node_modules") {
			return skipDir(err)
		}
		if filepath.Ext(path) != ".md" {
			return nil
		}
		pages++
		text, err := os.ReadFile(path)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, ":") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), target)); err != nil {
				t.Errorf("%s links to %s, which is not there", path, m[1])
			}
		}
		return err
	})
	if err != nil || pages < 5 {
		t.Errorf("%d pages were read: %v", pages, err)
	}
}

func skipDir(err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}
