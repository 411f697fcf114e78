package replay

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// maxGenerated is the largest number of values that are kept.
const maxGenerated = 1 << 20

// generatedValues maps values that the service generated, in the recorded responses, to those in the replayed
// responses. It is safe for concurrent use.
type generatedValues struct {
	mu     sync.Mutex
	values map[string]string
}

func (c *generatedValues) learn(recorded, answered string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil {
		c.values = map[string]string{}
	}
	if len(c.values) < maxGenerated {
		c.values[recorded] = answered
	}
}

func (c *generatedValues) replacement(recorded string) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	answered, ok := c.values[recorded]
	return answered, ok
}

// translate returns a request with the values that the target generated. Only members of the request itself are
// replaced: those of items are the user's.
func (c *generatedValues) translate(body []byte) []byte {
	return c.translateMembers(body, func(depth int, _ string) bool { return depth == 1 })
}

// translateMembers returns JSON with the values that the target generated, in members that are chosen by their depth,
// from 1, and name. A body that is not JSON stays as it is.
func (c *generatedValues) translateMembers(body []byte, chosen func(depth int, name string) bool) []byte {
	if !jsontext.Value(body).IsValid() {
		return body
	}
	var out bytes.Buffer
	d, e := jsontext.NewDecoder(bytes.NewReader(body)), jsontext.NewEncoder(&out)
	changed, name := false, ""
	for {
		depth := d.StackDepth()
		kind, n := d.StackIndex(depth)
		token, err := d.ReadToken()
		if err != nil {
			break // the end
		}
		switch {
		case kind == '{' && n%2 == 0 && token.Kind() == '"':
			name = token.String()
		case kind == '{' && token.Kind() == '"' && chosen(depth, name):
			if answered, ok := c.replacement(token.String()); ok {
				token, changed = jsontext.String(answered), true
			}
		}
		if e.WriteToken(token) != nil {
			return body
		}
	}
	if !changed {
		return body
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
