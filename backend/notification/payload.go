package notification

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// Payload describes an event: a JSON object with the documented fields, which have a format, and any others. It is
// stored as sent.
type Payload json.RawMessage

// payloadFields holds the documented fields of a payload.
type payloadFields struct {
	ActorID    string     `json:"actorId"`
	ActorName  string     `json:"actorName"`
	TargetID   string     `json:"targetId"`
	TargetType TargetType `json:"targetType"`
	Snippet    string     `json:"snippet"`
}

// maxPayload is in bytes. It keeps an event far below a document's limit of 2 MB, and its writes cheap.
const maxPayload = 8 << 10

// Maximum lengths of payload fields, in bytes.
const (
	maxName    = 200
	maxSnippet = 2000
)

var targetPattern = lazyregexp.New(`^[A-Za-z0-9_:@|+=-][A-Za-z0-9._:@|+=-]{0,127}$`)

// MarshalJSON writes the payload as sent, and an absent one as an empty object.
func (p Payload) MarshalJSON() ([]byte, error) {
	if len(p) == 0 {
		return []byte("{}"), nil
	}
	return json.RawMessage(p).MarshalJSON()
}

// UnmarshalJSON keeps the text; null means no payload.
func (p *Payload) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*p = nil
		return nil
	}
	return (*json.RawMessage)(p).UnmarshalJSON(text)
}

// equals reports whether two payloads are the same JSON, regardless of formatting.
func (p Payload) equals(o Payload) bool {
	var a, b any
	return json.Unmarshal(jsonOf(p), &a) == nil && json.Unmarshal(jsonOf(o), &b) == nil && reflect.DeepEqual(a, b)
}

// read decodes the documented fields.
func (p Payload) read() (payloadFields, error) {
	var s payloadFields
	if len(p) == 0 {
		return s, nil
	}
	return s, json.Unmarshal(p, &s)
}

// check returns an error if a payload violates the document: it must have what its notification needs.
func (p Payload) check(t EventType) error {
	if len(p) > maxPayload {
		return fmt.Errorf("must have at most %d bytes", maxPayload)
	}
	s, err := p.read()
	if err != nil {
		return errors.New("actorId, actorName, targetId, targetType and snippet must be strings")
	}
	if category, _ := CategoryOf(t); category == Social && s.TargetID == "" {
		return fmt.Errorf("must have targetId and targetType for %s", t)
	}
	return s.check()
}

func (s payloadFields) check() error {
	switch {
	case s.ActorID != "" && !targetPattern.MatchString(s.ActorID):
		return errors.New("actorId must be 1 to 128 letters, digits and ._:@|+=-, not starting with a dot")
	case s.TargetID != "" && !targetPattern.MatchString(s.TargetID):
		return errors.New("targetId must be 1 to 128 letters, digits and ._:@|+=-, not starting with a dot")
	case (s.TargetID == "") != (s.TargetType == ""):
		return errors.New("must have both targetId and targetType, or neither")
	case s.TargetType != "" && s.TargetType != Post && s.TargetType != Comment && s.TargetType != User:
		return errors.New("targetType must be post, comment or user")
	case len(s.ActorName) > maxName:
		return fmt.Errorf("actorName must have at most %d bytes", maxName)
	case len(s.Snippet) > maxSnippet:
		return fmt.Errorf("snippet must have at most %d bytes", maxSnippet)
	}
	return nil
}
