package builtin

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// A word is a word of an analyzed text: in lower case, and its stem.
type word struct{ plain, stem string }

// stemmers are the languages of full-text policies whose words are stemmed. Words of other languages are only
// lower-cased.
var stemmers = map[string]string{"en": "english", "es": "spanish", "fr": "french"}

// stopWords are the words ignored in English texts: a common list, because the service's is not published.
var stopWords = strings.Fields(`a an and are as at be but by for if in into is it no not of on or such that the their then
	there these they this to was will with`)

// analyze splits a text into words, which are runs of letters and digits, without stop words, and stems them.
func analyze(env *Env, text string) []word {
	if !env.step(4*len(text)) || !env.grow(len(text)) {
		return nil
	}
	language, _, _ := strings.Cut(strings.ToLower(env.Language), "-")
	if language == "" {
		language = "en"
	}
	parts := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	})
	words := make([]word, 0, len(parts))
	for _, p := range parts {
		if p = strings.Trim(p, "'"); p == "" || language == "en" && slices.Contains(stopWords, p) {
			continue
		}
		words = append(words, word{p, stem(p, language)})
	}
	return words
}

func stem(w, language string) string {
	if name, ok := stemmers[language]; ok {
		if s, err := snowball.Stem(w, name, true); err == nil {
			return s
		}
	}
	return w
}

// term is a search term: consecutive words, each of which may differ from the text's by an edit distance.
type term struct {
	words    []word
	distance int
}

// maxDistance is the maximum edit distance of a fuzzy term ("Full-text search", fuzzy search).
const maxDistance = 2

// termsOf parses strings and objects {"term": string, "distance": 0 to 2}.
func termsOf(env *Env, args []doc.Value) ([]term, bool) {
	terms := make([]term, len(args))
	for i, a := range args {
		text, distance := a, 0
		if a.Kind() == doc.Map {
			n, ok := integer(a.Field("distance"))
			if !ok || n < 0 || n > maxDistance {
				return nil, false
			}
			text, distance = a.Field("term"), int(n)
		}
		if text.Kind() != doc.Text {
			return nil, false
		}
		terms[i] = term{analyze(env, text.Str()), distance}
	}
	return terms, true
}

// count returns the number of occurrences of the term in a text.
func (t term) count(env *Env, text []word) int {
	if len(t.words) == 0 {
		return 0
	}
	found := 0
	for i := 0; i+len(t.words) <= len(text); i++ {
		if t.at(env, text[i:]) {
			found++
		}
	}
	return found
}

func (t term) at(env *Env, text []word) bool {
	for i, w := range t.words {
		if !env.step(1) {
			return false
		}
		if w.stem != text[i].stem && (t.distance == 0 || !env.within(w.plain, text[i].plain, t.distance)) {
			return false
		}
	}
	return true
}

// within reports whether the Levenshtein distance of a and b is at most distance.
func (e *Env) within(a, b string, distance int) bool {
	if len(a)-len(b) > 4*distance || len(b)-len(a) > 4*distance { // a letter has up to four bytes
		return false
	}
	if !e.step(product(len(a), len(b)) / 4) {
		return false
	}
	return within(a, b, distance)
}

// within is Env.within without counting the work.
func within(a, b string, distance int) bool {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > distance || len(y)-len(x) > distance {
		return false
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range x {
		before, least := row[0], i+1
		row[0] = i + 1
		for j, s := range y {
			changed := before
			if r != s {
				changed++
			}
			before = row[j+1]
			row[j+1] = min(changed, row[j]+1, row[j+1]+1)
			least = min(least, row[j+1])
		}
		if least > distance {
			return false
		}
	}
	return row[len(y)] <= distance
}
