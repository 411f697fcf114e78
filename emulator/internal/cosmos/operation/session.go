package operation

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// CheckSession holds a read to what its client has seen: where the container has not come as far, the answer is 404 with
// substatus 1002, upon which SDKs try elsewhere. A token that cannot be one is 400.
func (c *Call) CheckSession() *wire.Error {
	text := c.Header("X-Ms-Session-Token")
	if text == "" {
		return nil
	}
	own := c.ownRange()
	for token := range strings.SplitSeq(text, ",") {
		token = strings.TrimSpace(token)
		lsn, ok := parseSession(token)
		if !ok {
			return wire.BadRequest("The session token provided '%s' is invalid.", text)
		}
		if id, _, _ := strings.Cut(token, ":"); own != "" && id != own && c.Container.HasRange(id) {
			continue
		}
		c.seen = max(c.seen, lsn)
		if lsn > c.Container.Sequence.Last() {
			return &wire.Error{Status: http.StatusNotFound, Substatus: 1002, Code: "NotFound", Message: "The read session is not available for the input session token."}
		}
	}
	return nil
}

// ownRange is the id of the physical partition that alone can answer the request: what a client has seen of others tells nothing
// of it (Java's validateSessionTokenMultiPartitionCollection). Empty: there may be several.
func (c *Call) ownRange() string {
	key, err := c.HeaderKey()
	if def := c.Container.Definition.Load(); err == nil && len(key) > 0 && len(key) == len(def.Key.Paths) {
		return c.Container.RangeOf(def.Key.EPK(key)).ID
	}
	return ""
}

// parseSession reads the LSN of a token in any of its forms: 0:12, 0:-1#12, 0:1#12#3=12.
func parseSession(token string) (lsn uint64, ok bool) {
	id, rest, found := strings.Cut(token, ":")
	if _, err := strconv.ParseUint(id, 10, 32); err != nil || !found {
		return 0, false
	}
	if version, vector, found := strings.Cut(rest, "#"); found {
		if _, err := strconv.ParseInt(version, 10, 64); err != nil {
			return 0, false
		}
		rest, _, _ = strings.Cut(vector, "#")
	}
	lsn, err := strconv.ParseUint(rest, 10, 64)
	return lsn, err == nil
}
