// Package paging reads lists page by page, for tests.
package paging

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// maxPages is the most pages of a list.
const maxPages = 1000

// All reads all pages of a list: read sends the request, with a random Limit from 1 to 5 and the Start that the page
// before gave as its Next, and add gets each page.
func All(t testing.TB, random *rand.Rand, request map[string]any, read func() (page json.RawMessage),
	add func(page json.RawMessage)) {
	t.Helper()
	for n := 0; ; n++ {
		request["Limit"] = 1 + random.IntN(5)
		page := read()
		add(page)
		var next struct{ Next string }
		if err := json.Unmarshal(page, &next); err != nil {
			t.Fatal(err)
		}
		if request["Start"] = next.Next; next.Next == "" {
			return
		}
		if n > maxPages {
			t.Fatalf("the list does not end: %s", page)
		}
	}
}
