package replay

import "testing"

func TestRequestsAreTranslated(t *testing.T) {
	t.Parallel()
	var c generatedValues
	c.learn("old", "new")
	for request, want := range map[string]string{
		`{"ShardIterator":"old","Limit":1}`: `{"ShardIterator":"new","Limit":1}`,
		`{ "ShardIterator": "other" }`:      `{ "ShardIterator": "other" }`,
		`{"Item":{"id":{"S":"old"}}}`:       `{"Item":{"id":{"S":"old"}}}`,
		`{"old":"old","a":["old"]}`:         `{"old":"new","a":["old"]}`,
		`{"ShardIterator":"old"`:            `{"ShardIterator":"old"`,
		``:                                  ``,
	} {
		if got := string(c.translate([]byte(request))); got != want {
			t.Errorf("%s becomes %s, want %s", request, got, want)
		}
	}
}
