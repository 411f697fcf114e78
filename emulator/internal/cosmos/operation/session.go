package operation

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Session is the session state that a client sends.
type Session struct {
	tokens      string // separated by commas; empty: none
	partitionID string // the id of the only physical partition that can serve the request; empty: any
}

// Session returns the request's session tokens. If only one partition can serve the request, tokens of other partitions
// are ignored (validateSessionTokenMultiPartitionCollection of the Java SDK).
func (r *Request) Session(container *engine.Container) Session {
	s := Session{tokens: r.Header("X-Ms-Session-Token")}
	if s.tokens == "" {
		return s
	}
	key, err := r.HeaderKey()
	if def := container.Definition.Load(); err == nil && len(key) > 0 && len(key) == len(def.Key.Paths) {
		s.partitionID = container.RangeOf(def.Key.EPK(key)).ID
	}
	return s
}

// CheckSession checks that the container has reached the LSNs of a session, and returns the highest of them. Errors:
// 404 with substatus 1002 if it has not, after which SDKs try another region; 400 for a malformed token.
func (r *Run) CheckSession(s Session) (seen uint64, err *wire.Error) {
	if s.tokens == "" {
		return 0, nil
	}
	for token := range strings.SplitSeq(s.tokens, ",") {
		token = strings.TrimSpace(token)
		lsn, ok := parseSession(token)
		if !ok {
			return seen, wire.BadRequest("The session token provided '%s' is invalid.", s.tokens)
		}
		if id, _, _ := strings.Cut(token, ":"); s.partitionID != "" && id != s.partitionID && r.Container.HasRange(id) {
			continue
		}
		seen = max(seen, lsn)
		if lsn > r.Container.Sequence.Last() {
			return seen, &wire.Error{Status: http.StatusNotFound, Substatus: 1002, Code: "NotFound",
				Message: "The read session is not available for the input session token."}
		}
	}
	return seen, nil
}

// parseSession returns the LSN of a token in any of its forms: 0:12, 0:-1#12, 0:1#12#3=12.
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
