package pushgateway

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// maxBody is the maximum size of an uncompressed body in bytes, more than any valid request has.
const maxBody = 1 << 20

// expoMessage is one message to one token.
type expoMessage struct {
	to    string
	size  int // bytes of what is shown and what the app gets
	Title string
	Body  string
	Data  json.RawMessage
}

// expoError is Expo's error response to a whole request.
type expoError struct {
	status        int
	code, message string
	details       map[string][]string
}

func (e *expoError) write(w http.ResponseWriter) {
	body := map[string]any{"code": e.code, "message": e.message}
	if e.details != nil {
		body["details"] = e.details
	}
	writeJSON(w, e.status, map[string]any{"errors": []any{body}})
}

func expoValidationError(format string, args ...any) *expoError {
	return &expoError{http.StatusBadRequest, "VALIDATION_ERROR", fmt.Sprintf(format, args...), nil}
}

// writeExpoFault responds to a request with a fault, in Expo's format.
func writeExpoFault(w http.ResponseWriter, f Fault) {
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	code := f.Code
	if code == "" {
		code = map[int]string{http.StatusTooManyRequests: "TOO_MANY_REQUESTS",
			http.StatusUnauthorized: "UNAUTHORIZED"}[f.Status]
	}
	(&expoError{f.Status, cmp.Or(code, "INTERNAL_SERVER_ERROR"), http.StatusText(f.Status), nil}).write(w)
}

// checkExpoRequest checks what every request must have.
func (g *Gateway) checkExpoRequest(r *http.Request) *expoError {
	switch {
	case r.Method != http.MethodPost:
		return &expoError{http.StatusNotFound, "NOT_FOUND", "There is no " + r.Method + " here.", nil}
	case g.cfg.ExpoToken != "" && r.Header.Get("Authorization") != "Bearer "+g.cfg.ExpoToken:
		return &expoError{http.StatusUnauthorized, "UNAUTHORIZED", "The bearer token is invalid.", nil}
	}
	return nil
}

// parseExpo parses one message or a list of them; a message with several recipients counts once for each.
func parseExpo(r *http.Request) (messages []expoMessage, single bool, refused *expoError) {
	body, err := readBody(r)
	if err != nil {
		return nil, false, expoValidationError("The request body cannot be read: %v.", err)
	}
	raw := []json.RawMessage{body}
	if single = !bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")); !single {
		if err := json.Unmarshal(body, &raw); err != nil {
			return nil, false, expoValidationError("The request body is not valid JSON.")
		}
	}
	for i, text := range raw {
		to, refused := parseExpoMessage(i, text)
		if refused != nil {
			return nil, false, refused
		}
		if messages = append(messages, to...); len(messages) > maxExpoMessages {
			return nil, false, &expoError{http.StatusBadRequest, "PUSH_TOO_MANY_NOTIFICATIONS",
				fmt.Sprintf("You are trying to send more than %d push notifications in one request.", maxExpoMessages), nil}
		}
	}
	if len(messages) == 0 {
		return nil, false, expoValidationError(`"value" must contain at least 1 items.`)
	}
	return messages, single, nil
}

// expoFields are the documented fields of a message, with the possible first characters of their JSON values: a string,
// a number, either, ….
var expoFields = map[string]string{
	"to": `"[`, "title": `"`, "subtitle": `"`, "body": `"`, "data": "{", "ttl": "0", "expiration": "0", "priority": `"`,
	"sound": `"n{`, "badge": "0", "channelId": `"n`, "categoryId": `"`, "mutableContent": "tf", "_contentAvailable": "tf",
	"contentAvailable": "tf", "interruptionLevel": `"`, "richContent": "{", "icon": `"`, "collapseId": `"`, "tag": `"`,
}

func parseExpoMessage(i int, text json.RawMessage) ([]expoMessage, *expoError) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil || fields == nil {
		return nil, expoValidationError(`"[%d]" must be an object.`, i)
	}
	for name, value := range fields {
		kinds, known := expoFields[name]
		if !known {
			return nil, expoValidationError(`"[%d].%s" is not allowed.`, i, name)
		}
		if !bytes.ContainsRune([]byte(kinds), firstChar(value)) {
			return nil, expoValidationError(`"[%d].%s" has the wrong type.`, i, name)
		}
	}
	m := expoMessage{Title: stringOf(fields["title"]), Body: stringOf(fields["body"]), Data: fields["data"]}
	m.size = len(m.Title) + len(m.Body) + len(m.Data)
	var all []expoMessage
	for _, to := range recipients(fields["to"]) {
		if !expoTokenPattern.MatchString(to) {
			return nil, expoValidationError(`"[%d].to" must be a valid Expo push token.`, i)
		}
		m.to = to
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil, expoValidationError(`"[%d].to" is required.`, i)
	}
	return all, nil
}

// expoTokenPattern matches what Expo's own libraries accept as a token.
var expoTokenPattern = lazyregexp.New(
	`^(Expo(nent)?PushToken\[.+\]|[0-9A-Za-z]{8}-[0-9A-Za-z]{4}-[0-9A-Za-z]{4}-[0-9A-Za-z]{4}-[0-9A-Za-z]{12})$`)

// firstChar returns the first character of a JSON value, '0' for every number.
func firstChar(value json.RawMessage) rune {
	if c := value[0]; c != '-' && (c < '0' || c > '9') {
		return rune(c)
	}
	return '0'
}

// stringOf returns the value of a JSON string, and "" for anything else.
func stringOf(value json.RawMessage) (text string) {
	_ = json.Unmarshal(value, &text)
	return text
}

// recipients returns the tokens of a message: one, or a list.
func recipients(value json.RawMessage) []string {
	var list []string
	if json.Unmarshal(value, &list) == nil {
		return list
	}
	if one := stringOf(value); one != "" {
		return []string{one}
	}
	return nil
}

func parseReceiptIDs(r *http.Request) ([]string, *expoError) {
	body, err := readBody(r)
	if err != nil {
		return nil, expoValidationError("The request body cannot be read: %v.", err)
	}
	var request struct {
		IDs []string `json:"ids"`
	}
	if err := json.Unmarshal(body, &request); err != nil || request.IDs == nil {
		return nil, expoValidationError(`"ids" must be an array of strings.`)
	}
	if len(request.IDs) > maxExpoReceipts {
		return nil, &expoError{http.StatusBadRequest, "PUSH_TOO_MANY_RECEIPTS",
			fmt.Sprintf("You are trying to get more than %d push receipts in one request.", maxExpoReceipts), nil}
	}
	return request.IDs, nil
}

var errTooLong = errors.New("it is too long")

// readBody reads a body and decompresses it.
func readBody(r *http.Request) ([]byte, error) {
	reader := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		packed, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, errors.New("it is not gzip")
		}
		reader = packed
	}
	body, err := io.ReadAll(io.LimitReader(reader, maxBody+1))
	if err != nil {
		return nil, errors.New("it is cut short")
	}
	if len(body) > maxBody {
		return nil, errTooLong
	}
	return body, nil
}
