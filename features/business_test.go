package features

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
)

// ofTheWire matches steps of the systems that are about requests, storage and implementation. Each expression matches
// the step's text without the parts in quotes. The generic steps declare it themselves, in steps.Group.Business.
var ofTheWire = []string{
	// the store and its parts
	`\bstore\b`, `\bindex(es)?\b`, `\btables?\b`,
	`\bitems?\b( |$)(found|of|"|$)`, `\battributes?\b`, `\btransactions?\b`, `\bpartitions?\b`, `\bschema\b`,
	`\bcontainers?\b`, `RU/s`, `\bunits?\b (are|is)`,
	`(are|is) written|units are|units is`, `Cosmos DB`, `\bCloudWatch\b`, `throttl`, `is stored in ""`,
	`documents? of "" (are|is) in`, `change feed`,
	`before (the|its|their) next (but one )?[A-Z]`, `\bemulator\b`, `the query finds \d`, `writes a second`,
	`program of version`,
	// AWS policies
	`\bpolicy\b`, `\bthe (service|cleanup) (may|is refused with)\b`, `\brole\b`, `AccessDenied`,
	// the document's own requests
	`as documented`, `documented (cleanup|version)`,
	// HTTP requests and responses
	` sends (GET|PUT|POST|PATCH|DELETE|<)`, `response's header|has no header`, `the response shows the beginning`,
	`the results are:`,
	// formats of ids and times
	`UUID`, `\d hex digits`,
}

func TestBusinessFeaturesHaveNoWireStepsAndWireFeaturesHaveSome(t *testing.T) {
	t.Parallel()
	w := &steps.World{}
	patterns := map[string]*regexp.Regexp{}
	for _, g := range append(w.Library(), httpapi.New(w, "/").Library()...) {
		for _, s := range g.Steps {
			if !g.Business {
				patterns[s.Pattern] = regexp.MustCompile(s.Pattern)
			}
		}
	}
	own, used := map[string]*regexp.Regexp{}, map[string]bool{}
	for _, p := range ofTheWire {
		own[p] = regexp.MustCompile(p)
	}
	isWire := func(step string) bool {
		for _, p := range patterns {
			if p.MatchString(step) {
				return true
			}
		}
		plain, found := quoted.ReplaceAllString(step, `""`), false
		for text, p := range own {
			if p.MatchString(plain) {
				used[text], found = true, true
			}
		}
		return found
	}
	for _, s := range suites() {
		if s.Name == "service" { // the package service tests the wire itself
			continue
		}
		eachScenario(t, s.Files, func(file, name string, steps []string) {
			wire := ""
			for _, step := range steps {
				if isWire(step) {
					wire = step
				}
			}
			switch of := strings.HasSuffix(file, ".wire.feature"); {
			case of && wire == "":
				t.Errorf("%s/%s: %q says nothing of the wire: move it to the business feature", s.Name, file, name)
			case !of && wire != "":
				t.Errorf("%s/%s: %q speaks of the wire: %q; move it to the wire feature", s.Name, file, name, wire)
			}
		})
	}
	for text := range own {
		if !used[text] {
			t.Errorf("no step is like %s any more", text)
		}
	}
}

var quoted = regexp.MustCompile(`"[^"]*"`)

// eachScenario calls do with the steps of every scenario, including the background's and those of every example of an
// outline.
func eachScenario(t *testing.T, files fs.FS, do func(file, name string, steps []string)) {
	t.Helper()
	names, err := fs.Glob(files, "*.feature")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range names {
		f, err := files.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		ids := (&messages.Incrementing{}).NewId
		doc, err := gherkin.ParseGherkinDocument(f, ids)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range gherkin.Pickles(*doc, file, ids) {
			var steps []string
			for _, s := range p.Steps {
				steps = append(steps, s.Text)
			}
			do(file, p.Name, steps)
		}
	}
}
