package script

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script/sandbox"
)

// The layout of the mailbox that prelude.js shares: a signal and its response, a number, the sizes of two texts, and
// the texts.
const (
	mailSignal  = 0
	mailAnswer  = 1
	mailNumber  = 8
	mailLogSize = 16
	mailNote    = 20
	mailLogAt   = 32
	mailNoteAt  = mailLogAt + MaxLog
	mailSize    = mailNoteAt + 16<<10

	signalSubmit = 1 // may an operation be queued?
	signalRandom = 2 // a number for Math.random
	signalAbort  = 3 // the script aborted: the note is the error's text, the number is the error's number
)

// mailText returns a text in the mailbox.
func mailText(mail []byte, sizeAt, from, to int) string {
	size := min(int(binary.LittleEndian.Uint32(mail[sizeAt:])), to-from)
	return strings.ToValidUTF8(string(mail[from:from+size]), "\ufffd")
}

func mailFloat(mail []byte) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(mail[mailNumber:]))
}

func setMailFloat(mail []byte, n float64) {
	binary.LittleEndian.PutUint64(mail[mailNumber:], math.Float64bits(n))
}

// Errors of values that come out of a script.
var (
	errLargeValue = errors.New("the value is too large")
	errDeepValue  = errors.New("TypeError: The value is nested too deeply for JSON")
	errNoAnswer   = errors.New("Error: The script returned no result")
)

// exception is an exception of a script.
type exception struct {
	text, stack string
	number      int
}

// readAnswer parses what prelude.js returns: v and JSON, u for undefined, or e and the JSON of an exception. It does
// not trust the response, because a script may have modified the objects that produced it.
func readAnswer(answer string) (doc.Value, *exception, error) {
	if answer == "" || len(answer) > maxText || countValues(answer) > maxNodes {
		if answer == "" {
			return doc.Value{}, nil, errNoAnswer
		}
		return doc.Value{}, nil, errLargeValue
	}
	if answer == "u" {
		return doc.Value{}, nil, nil
	}
	v, err := doc.Parse([]byte(answer[1:]))
	switch {
	case errors.Is(err, doc.ErrDepth):
		return v, nil, errDeepValue
	case err != nil:
		return v, nil, errNoAnswer
	case answer[0] == 'v':
		return v, nil, nil
	case answer[0] == 'e':
		return doc.Value{}, parseException(v), nil
	}
	return doc.Value{}, nil, errNoAnswer
}

func parseException(v doc.Value) *exception {
	x := &exception{text: clip(v.Field("text").Str()), stack: v.Field("stack").Str()}
	if v.Field("text").Kind() != doc.Text {
		x.text = "Error"
	}
	x.number = errorNumber(v.Field("number").Float())
	switch x.text { // the engine's own messages
	case "InternalError: string too long", "RangeError: invalid string length":
		x.text = "RangeError: Invalid string length"
	case "RangeError: invalid array length":
		x.text = "RangeError: Invalid array length"
	}
	return x
}

// errorNumber returns the number of an error if it has 16 bits, as a substatus has; otherwise 0.
func errorNumber(n float64) int {
	if !(n >= 0 && n <= 0xFFFF) {
		return 0
	}
	return int(n)
}

// countValues returns the number of values in JSON, plus one for each empty array or object.
func countValues(json string) int {
	n, quoted := 1, false
	for i := 0; i < len(json); i++ {
		switch c := json[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == '[' || c == '{'):
			n++
		}
	}
	return n
}

// callPrelude calls the prelude: an operation with a text and optional values.
func (s *session) callPrelude(operation, text string, values ...sandbox.Value) (doc.Value, error) {
	op, err := s.operation(operation)
	if err != nil {
		return doc.Value{}, err
	}
	arg, err := s.vm.String(text)
	if err != nil {
		return doc.Value{}, err
	}
	out, err := s.vm.Call(s.vm.Entry(), append(append(s.args[:0], op, arg), values...)...)
	s.vm.Free(arg)
	if err != nil {
		return doc.Value{}, err
	}
	if n, ok := out.Number(); ok {
		return doc.Number(n), nil
	}
	if b, ok := out.Bool(); ok {
		return doc.Bool(b), nil
	}
	answer, err := s.vm.Text(out)
	s.vm.Free(out)
	if err != nil {
		return doc.Value{}, err
	}
	v, thrown, err := readAnswer(answer)
	switch {
	case errors.Is(err, errLargeValue):
		return v, s.threw("RangeError: The value is too large", "", codeTooLarge)
	case err != nil:
		return v, s.threw(err.Error(), "", 0)
	case thrown != nil:
		return v, s.threw(thrown.text, frames(thrown.stack), thrown.number)
	}
	return v, nil
}

// operation returns the name of an operation as a value, which the session caches.
func (s *session) operation(name string) (sandbox.Value, error) {
	if v, ok := s.operations[name]; ok {
		return v, nil
	}
	v, err := s.vm.String(name)
	if err == nil {
		s.operations[name] = v
	}
	return v, err
}
