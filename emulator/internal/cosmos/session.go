package cosmos

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// A session token says how far a partition has come: its range's id, a version that no partition of ours has (-1), and an
// LSN, as 0:-1#12. Several are joined by commas.

// sessionToken is the token of a physical partition at an LSN.
func sessionToken(r keyRange, lsn uint64) string {
	return r.id + ":-1#" + strconv.FormatUint(lsn, 10)
}

// checkSession holds a read to what its client has seen: where the container has not come as far, the answer is 404 with
// substatus 1002, upon which SDKs try elsewhere. A token that cannot be one is 400.
func (c *call) checkSession() *Error {
	text := c.header("X-Ms-Session-Token")
	if text == "" {
		return nil
	}
	own := c.ownRange()
	for token := range strings.SplitSeq(text, ",") {
		token = strings.TrimSpace(token)
		lsn, ok := parseSession(token)
		if !ok {
			return badRequest("The session token provided '%s' is invalid.", text)
		}
		if id, _, _ := strings.Cut(token, ":"); own != "" && id != own && c.container.hasRange(id) {
			continue
		}
		c.seen = max(c.seen, lsn)
		if lsn > c.container.sequence.last() {
			return &Error{Status: http.StatusNotFound, Substatus: 1002, Code: "NotFound", Message: "The read session is not available for the input session token."}
		}
	}
	return nil
}

// ownRange is the id of the physical partition that alone can answer the request: what a client has seen of others tells nothing
// of it (Java's validateSessionTokenMultiPartitionCollection). Empty: there may be several.
func (c *call) ownRange() string {
	key, err := c.headerKey()
	if def := c.container.definition.Load(); err == nil && len(key) > 0 && len(key) == len(def.key.Paths) {
		return c.container.rangeOf(def.key.EPK(key)).id
	}
	return ""
}

// hasRange says that a physical partition of an id is there. One that was split is not: its token counts for what came of it.
func (c *container) hasRange(id string) bool {
	return slices.ContainsFunc(c.ranges(), func(r keyRange) bool { return r.id == id })
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
