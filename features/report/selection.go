package report

import (
	"fmt"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// Selection limits a run to the scenarios that meet all of its conditions. The zero value selects every scenario.
type Selection struct {
	Tags string `json:"tags,omitempty"` // a tag expression of Cucumber, such as "@a and not @b"
	Name string `json:"name,omitempty"` // a regular expression that matches a part of the scenario's name
	// Files are feature files, each with the lines of the scenarios, if not all: features/kefir/batches.feature:12:40.
	// A scenario meets the condition if it is in one of them. A folder stands for the files in it.
	Files []string `json:"files,omitempty"`
}

// IsAll reports whether the selection has no condition.
func (s Selection) IsAll() bool { return s.Tags == "" && s.Name == "" && len(s.Files) == 0 }

// String returns the selection as on the command line of tabletop features.
func (s Selection) String() string {
	var words []string
	if s.Tags != "" {
		words = append(words, "--tags", Quoted(s.Tags))
	}
	if s.Name != "" {
		words = append(words, "--name", Quoted(s.Name))
	}
	for _, file := range s.Files {
		words = append(words, Quoted(file))
	}
	return strings.Join(words, " ")
}

// maxTitleFiles is how many files a title names.
const maxTitleFiles = 3

// Title returns the selection as a part of a sentence: String, with the first of many files.
func (s Selection) Title() string {
	if s.IsAll() {
		return "all scenarios"
	}
	more := len(s.Files) - maxTitleFiles
	if more <= 0 {
		return s.String()
	}
	s.Files = s.Files[:maxTitleFiles]
	return fmt.Sprintf("%s and %d more", s, more)
}

// plain matches a word that every shell reads as it is.
var plain = lazyregexp.New(`^[A-Za-z0-9@%+=:,./_-]+$`)

// Quoted returns a word as a POSIX shell reads it: in single quotes, if it needs them.
func Quoted(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Path returns the path of the scenario's file, as tabletop features takes it: features/kefir/batches.feature.
func (s Scenario) Path() string { return "features/" + s.System + "/" + s.File }
