package yamlfile

import (
	"strings"
	"testing"
)

type library struct {
	Books []book         `yaml:"books"`
	Notes map[string]int `yaml:"notes"`
}

type book struct {
	Title string `yaml:"title"`
	Pages int    `yaml:"pages"`
	Read  *bool  `yaml:"read"`
}

func TestErrorsContainLineAndRemedy(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                   "library.yaml:1: the file is empty: start it with books:",
		"books:\n- titel: x":                 `library.yaml:2: unknown field "titel": use title, pages, read`,
		"books:\n- title: x\n  title: y":     `library.yaml:3: duplicate field "title": remove one`,
		"books: 5":                           "library.yaml:1: expected a list: write each entry on its own line after -, or all as [one, two]",
		"books: [5]":                         "library.yaml:1: expected fields, such as title: value",
		"books:\n- pages: many":              "library.yaml:2: `many` is not an integer: use one such as 5",
		"books:\n- read: perhaps":            "library.yaml:2: `perhaps` is not a boolean: use true or false",
		"notes: []":                          "library.yaml:1: expected a map: write entries as name: value",
		"books: []\n---\nbooks: []":          "library.yaml:1: the file has more than one YAML document: remove everything after ---",
		"books: [":                           "library.yaml:1: invalid YAML (did not find expected node content): correct this line or the one before it",
		"x: " + strings.Repeat("x", MaxSize): "library.yaml:1: the file is larger than 1048576 bytes: split it",
	} {
		if _, err := Read("library.yaml", []byte(text), new(library)); err == nil || err.Error() != want {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

func TestErrorfFindsLinesOfPaths(t *testing.T) {
	t.Parallel()
	var l library
	f, err := Read("library.yaml", []byte("notes: {a: 1}\nbooks:\n- title: one\n- title: two\n  pages: 3\n"), &l)
	if err != nil || len(l.Books) != 2 || l.Books[1].Pages != 3 {
		t.Fatal(l, err)
	}
	for want, path := range map[int][]any{1: {"notes", "a"}, 2: {"books", 7}, 3: {"books", 0, "pages"},
		5: {"books", 1, "pages"}} {
		if got := f.Errorf(path, "wrong").(*Error).Line; got != want {
			t.Errorf("%v is at line %d, want %d", path, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("books:\n- {title: x, pages: 3}\n")
	f.Add("a: &a [*a]")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Read("f", []byte(text), new(library)); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: an error of several lines: %v", text, err)
		}
	})
}
