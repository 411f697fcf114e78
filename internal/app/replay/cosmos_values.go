package replay

import (
	"net/http"
	"slices"
	"strings"
)

// repeatedHeaders are the headers of requests to Cosmos DB that repeat values of responses.
var repeatedHeaders = []string{"if-match", "if-none-match", "x-ms-continuation", "x-ms-cosmos-intended-collection-rid",
	"x-ms-session-token"}

// repeatedMembers are the members of documents that repeat values of responses, at any depth.
var repeatedMembers = []string{"_etag", "_rid", "_self", "ifMatch", "ifNoneMatch", "offerResourceId", "resource"}

// header returns a header of a request with the values that the target generated. ETags of feeds, session tokens and
// continuations are of a container: another one may have the same.
func (c *generatedValues) header(container, name, value string) string {
	if !slices.Contains(repeatedHeaders, name) {
		return value
	}
	parts := splitHeader(name, value)
	for i, part := range parts {
		if generated, ok := c.replacement(container + "\n" + part); ok {
			parts[i] = generated
		} else if generated, ok := c.replacement(part); ok {
			parts[i] = generated
		}
	}
	return strings.Join(parts, ",")
}

// learnHeaders learns the values in the headers of a recorded response, and those of the target's.
func (c *generatedValues) learnHeaders(container string, recorded map[string]string, answered http.Header) {
	for name, value := range recorded {
		former, latter := splitHeader(name, value), splitHeader(name, answered.Get(name))
		if len(former) != len(latter) {
			continue
		}
		for i := range former {
			if latter[i] != "" {
				c.learn(container+"\n"+former[i], latter[i])
			}
		}
	}
}

// splitHeader returns the values in a header: only session tokens have more than one, one for each partition.
func splitHeader(name, value string) []string {
	if name == "x-ms-session-token" {
		return strings.Split(value, ",")
	}
	return []string{value}
}

// translateDocument returns a body with the values that the target generated.
func (c *generatedValues) translateDocument(body []byte) []byte {
	return c.translateMembers(body, func(_ int, name string) bool { return slices.Contains(repeatedMembers, name) })
}
