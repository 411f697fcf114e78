package yamlfile

import (
	"strings"
	"testing"
)

type shelf struct {
	Books []book         `yaml:"books"`
	Notes map[string]int `yaml:"notes"`
}

type book struct {
	Title string `yaml:"title"`
	Pages int    `yaml:"pages"`
	Read  *bool  `yaml:"read"`
}

func TestErrorsNameTheLineAndTheRemedy(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                   "shelf.yaml:1: the file is empty: begin with books:",
		"books:\n- titel: x":                 `shelf.yaml:2: unknown field "titel": use title, pages, read`,
		"books:\n- title: x\n  title: y":     `shelf.yaml:3: "title" is there twice: remove one`,
		"books: 5":                           "shelf.yaml:1: here has to be a list: write each entry on a line of its own after -, or all as [one, two]",
		"books: [5]":                         "shelf.yaml:1: here have to be fields: write them as title: value",
		"books:\n- pages: many":              "shelf.yaml:2: !!str `many` is no whole number: write one such as 5",
		"books:\n- read: perhaps":            "shelf.yaml:2: !!str `perhaps` is no answer to yes or no: write true or false",
		"notes: []":                          "shelf.yaml:1: here have to be names with values: write them as name: value",
		"books: []\n---\nbooks: []":          "shelf.yaml:1: a file is one document: remove what follows ---",
		"books: [":                           "shelf.yaml:1: did not find expected node content",
		"x: " + strings.Repeat("x", MaxSize): "shelf.yaml:1: the file is larger than 1048576 bytes: divide it",
	} {
		if _, err := Read("shelf.yaml", []byte(text), new(shelf)); err == nil || err.Error() != want {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

func TestAFileKnowsItsLines(t *testing.T) {
	t.Parallel()
	var s shelf
	f, err := Read("shelf.yaml", []byte("notes: {a: 1}\nbooks:\n- title: one\n- title: two\n  pages: 3\n"), &s)
	if err != nil || len(s.Books) != 2 || s.Books[1].Pages != 3 {
		t.Fatal(s, err)
	}
	for want, path := range map[int][]any{1: {"notes", "a"}, 2: {"books", 7}, 3: {"books", 0, "pages"}, 5: {"books", 1, "pages"}} {
		if got := f.Errorf(path, "wrong").(*Error).Line; got != want {
			t.Errorf("%v is at line %d, want %d", path, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("books:\n- {title: x, pages: 3}\n")
	f.Add("a: &a [*a]")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Read("f", []byte(text), new(shelf)); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: an error of two lines: %v", text, err)
		}
	})
}
