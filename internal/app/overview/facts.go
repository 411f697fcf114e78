package overview

import (
	"strings"

	"github.com/tabletop-db/tabletop/docs"
)

// Facts are the differences between the emulator and the service, from the compatibility page.
type Facts struct {
	OnPurpose []Fact
	Known     []Fact
}

// Fact is one difference.
type Fact struct {
	Title             string // of a known difference
	Service, Emulator string
	Why               string
}

func facts() Facts { return parseFacts(docs.Compatibility()) }

// parseFacts parses the two parts of the page about differences: one is a table, the other has a heading for each
// difference.
func parseFacts(page string) Facts {
	var f Facts
	part := ""
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "## "):
			part = strings.TrimPrefix(line, "## ")
		case part == "Different on purpose":
			if c := cells(line); len(c) == 3 && c[0] != "the service" && !strings.HasPrefix(c[0], "---") {
				f.OnPurpose = append(f.OnPurpose, Fact{Service: c[0], Emulator: c[1], Why: c[2]})
			}
		case part == "Known differences":
			f.known(line)
		}
	}
	return f
}

func (f *Facts) known(line string) {
	if title, ok := strings.CutPrefix(line, "### "); ok {
		f.Known = append(f.Known, Fact{Title: title})
		return
	}
	if len(f.Known) == 0 {
		return
	}
	last := &f.Known[len(f.Known)-1]
	switch c := cells(line); {
	case len(c) == 2 && c[0] == "the service":
		last.Service = c[1]
	case len(c) == 2 && c[0] == "the emulator":
		last.Emulator = c[1]
	case len(c) == 0 && last.Emulator != "" && line != "":
		last.Why = line
	}
}

// cells returns the cells of a table row, without code marks, or nil for any other line.
func cells(line string) []string {
	if !strings.HasPrefix(line, "|") || !strings.HasSuffix(line, "|") || len(line) < 2 {
		return nil
	}
	var all []string
	for cell := range strings.SplitSeq(strings.ReplaceAll(line[1:len(line)-1], `\|`, "\x00"), "|") {
		all = append(all, strings.TrimSpace(strings.NewReplacer("\x00", "|", "`", "").Replace(cell)))
	}
	return all
}
