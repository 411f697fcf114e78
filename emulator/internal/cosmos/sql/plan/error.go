package plan

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// Error is a query that has no plan: 400 BadRequest, whose message is Text.
type Error struct {
	Code    string // SC2060 and its kind; empty: the service writes the message alone
	Message string
}

// Error is the message as the service writes it.
func (e *Error) Error() string {
	if e.Code == "" {
		return string(doc.AppendString([]byte(`{"Errors":[`), e.Message)) + "]}"
	}
	text := append([]byte(`{"errors":[{"severity":"Error","code":"`), e.Code...)
	text = doc.AppendString(append(text, `","message":`...), e.Message)
	return string(text) + "}]}"
}

// IsCount says that the error is of a count: of TOP, OFFSET or LIMIT.
func (e *Error) IsCount() bool { return strings.HasPrefix(e.Code, "SC206") }
