// Package page writes the performance page and its pictures from measured results.
package page

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/machine"
	"github.com/tabletop-db/tabletop/tools/performance/suite"
)

// Document is what the page shows: the results, and what they depend on.
type Document struct {
	Date      time.Time
	Commit    string
	Processor string
	CPUs      int
	System    string
	Go        string
	Results   *suite.Results
	Folders   []FolderSize `json:"-"`
}

// New returns the document of results that were measured now, here.
func New(r *suite.Results) *Document {
	return &Document{Date: time.Now().UTC(), Commit: machine.Commit(), Processor: machine.Processor(),
		CPUs: runtime.NumCPU(), System: machine.Kernel(), Go: runtime.Version(), Results: r}
}

// Read returns a document that Save has written.
func Read(file string) (*Document, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var d Document
	return &d, json.Unmarshal(text, &d)
}

// Save writes the document, from which Write makes the same page again.
func (d *Document) Save(file string) error {
	text, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// Write writes performance.md and its pictures to a folder of documentation. If that has performance-sizes.json, a list
// of FolderSize, the page shows it too.
func (d *Document) Write(folder string) error {
	sizes, err := ReadFolderSizes(filepath.Join(folder, "performance-sizes.json"))
	if err != nil {
		return err
	}
	d.Folders = sizes
	pictures := filepath.Join(folder, "pictures")
	if err := os.MkdirAll(pictures, 0o755); err != nil {
		return err
	}
	for _, t := range themes() {
		for name, svg := range d.pictures(t) {
			file := filepath.Join(pictures, name+"-"+t.name+".svg")
			if err := os.WriteFile(file, []byte(svg), 0o644); err != nil {
				return err
			}
		}
	}
	profiles, err := filepath.Glob(filepath.Join(folder, "profiles", "*.txt"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "performance.md"), []byte(d.markdown(profiles)), 0o644)
}

// picture returns the Markdown of a picture in both themes.
func picture(name, alternative string) string {
	return fmt.Sprintf("<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"pictures/%s-dark.svg\">\n"+
		"  <img alt=\"%s\" src=\"pictures/%s-light.svg\" width=\"820\">\n</picture>\n\n", name, alternative, name)
}

// table returns a Markdown table. Its first columns are text, the others are numbers.
func table(texts int, head []string, rows [][]string) string {
	if len(rows) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| " + strings.Join(head, " | ") + " |\n|" + strings.Repeat("---|", texts) +
		strings.Repeat("--:|", len(head)-texts) + "\n")
	for _, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	return b.String() + "\n"
}
