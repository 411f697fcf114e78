package plan

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// Error is the error for a query that has no plan: 400 BadRequest, with Error() as the message.
type Error struct {
	Code    string // such as SC2060; empty: the service writes only the message
	Message string
}

// Error returns the message as the service writes it.
func (e *Error) Error() string {
	if e.Code == "" {
		return string(doc.AppendString([]byte(`{"Errors":[`), e.Message)) + "]}"
	}
	text := append([]byte(`{"errors":[{"severity":"Error","code":"`), e.Code...)
	text = doc.AppendString(append(text, `","message":`...), e.Message)
	return string(text) + "}]}"
}

// IsCount reports whether the error is about the count of TOP, OFFSET or LIMIT.
func (e *Error) IsCount() bool { return strings.HasPrefix(e.Code, "SC206") }
