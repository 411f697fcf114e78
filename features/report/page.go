package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

//go:embed assets
var assets embed.FS

// Page is an HTML page with sections. It works without a network, and can be read on a phone, in dark mode and on
// paper, where everything collapsed is expanded.
type Page struct {
	Title, Intro string
	Runs         []Run // listed at the top with their dates and versions
	Sections     []Section
}

// Section is a part of a page.
type Section struct {
	ID, Title string        // ID is its anchor
	Note      string        // below the title; may be empty
	Body      template.HTML // as returned by Fill
}

// HTML returns the page.
func (p Page) HTML() ([]byte, error) {
	return Fill(assets, "assets/page.tmpl", p)
}

// Fill executes the template with this name, which may use the other templates beside it. All text is escaped. It uses
// the page's styles and the functions short, class, sign, when, group, count and share.
func Fill(files fs.FS, name string, data any) ([]byte, error) {
	t, err := template.New("").Funcs(functions()).ParseFS(files, "assets/*.tmpl")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.ExecuteTemplate(&b, name[len("assets/"):], data)
	return b.Bytes(), err
}

func functions() template.FuncMap {
	return template.FuncMap{
		"css": func() (template.CSS, error) {
			b, err := assets.ReadFile("assets/page.css")
			return template.CSS(b), err
		},
		"js":    func() (template.JS, error) { b, err := assets.ReadFile("assets/page.js"); return template.JS(b), err },
		"short": Short,
		"class": class,
		"sign":  Sign,
		"group": thousands.Group[int],
		"when":  func(t time.Time) string { return t.Format("2 January 2006, 15:04") + " UTC" },
		"count": func(r Run, o string) int { return r.Count(Outcome(o)) },
		"share": func(r Run, o string) string {
			return fmt.Sprintf("%.1f", 100*float64(r.Count(Outcome(o)))/float64(max(len(r.Scenarios), 1)))
		},
	}
}
