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
	"regexp"
	"strconv"
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

// expoRefusal is Expo's error response to a whole request.
type expoRefusal struct {
	status        int
	code, message string
	details       map[string][]string
}

func (e *expoRefusal) write(w http.ResponseWriter) {
	body := map[string]any{"code": e.code, "message": e.message}
	if e.details != nil {
		body["details"] = e.details
	}
	writeJSON(w, e.status, map[string]any{"errors": []any{body}})
}

func expoInvalid(format string, args ...any) *expoRefusal {
	return &expoRefusal{http.StatusBadRequest, "VALIDATION_ERROR", fmt.Sprintf(format, args...), nil}
}

// expoFault responds to a request with a fault, in Expo's format.
func expoFault(w http.ResponseWriter, f Fault) {
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	code := f.Code
	if code == "" {
		code = map[int]string{http.StatusTooManyRequests: "TOO_MANY_REQUESTS",
			http.StatusUnauthorized: "UNAUTHORIZED"}[f.Status]
	}
	(&expoRefusal{f.Status, cmp.Or(code, "INTERNAL_SERVER_ERROR"), http.StatusText(f.Status), nil}).write(w)
}

// expoRefuses checks what every request must have.
func (g *Gateway) expoRefuses(r *http.Request) *expoRefusal {
	switch {
	case r.Method != http.MethodPost:
		return &expoRefusal{http.StatusNotFound, "NOT_FOUND", "There is no " + r.Method + " here.", nil}
	case g.cfg.ExpoToken != "" && r.Header.Get("Authorization") != "Bearer "+g.cfg.ExpoToken:
		return &expoRefusal{http.StatusUnauthorized, "UNAUTHORIZED", "The bearer token is invalid.", nil}
	}
	return nil
}

// parseExpo parses one message or a list of them; a message with several recipients counts once for each.
func parseExpo(r *http.Request) (messages []expoMessage, single bool, refused *expoRefusal) {
	body, err := readBody(r)
	if err != nil {
		return nil, false, expoInvalid("The request body cannot be read: %v.", err)
	}
	raw := []json.RawMessage{body}
	if single = !bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")); !single {
		if err := json.Unmarshal(body, &raw); err != nil {
			return nil, false, expoInvalid("The request body is not valid JSON.")
		}
	}
	for i, text := range raw {
		to, refused := parseExpoMessage(i, text)
		if refused != nil {
			return nil, false, refused
		}
		if messages = append(messages, to...); len(messages) > maxExpoMessages {
			return nil, false, &expoRefusal{http.StatusBadRequest, "PUSH_TOO_MANY_NOTIFICATIONS",
				fmt.Sprintf("You are trying to send more than %d push notifications in one request.", maxExpoMessages), nil}
		}
	}
	if len(messages) == 0 {
		return nil, false, expoInvalid(`"value" must contain at least 1 items.`)
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

func parseExpoMessage(i int, text json.RawMessage) ([]expoMessage, *expoRefusal) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil || fields == nil {
		return nil, expoInvalid(`"[%d]" must be an object.`, i)
	}
	for name, value := range fields {
		kinds, known := expoFields[name]
		if !known {
			return nil, expoInvalid(`"[%d].%s" is not allowed.`, i, name)
		}
		if !bytes.ContainsRune([]byte(kinds), kindOf(value)) {
			return nil, expoInvalid(`"[%d].%s" has the wrong type.`, i, name)
		}
	}
	m := expoMessage{Title: textOf(fields["title"]), Body: textOf(fields["body"]), Data: fields["data"]}
	m.size = len(m.Title) + len(m.Body) + len(m.Data)
	var all []expoMessage
	for _, to := range recipients(fields["to"]) {
		if !expoTokenForm.MatchString(to) {
			return nil, expoInvalid(`"[%d].to" must be a valid Expo push token.`, i)
		}
		m.to = to
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil, expoInvalid(`"[%d].to" is required.`, i)
	}
	return all, nil
}

// expoTokenForm matches what Expo's own libraries accept as a token.
var expoTokenForm = regexp.MustCompile(
	`^(Expo(nent)?PushToken\[.+\]|[0-9A-Za-z]{8}-[0-9A-Za-z]{4}-[0-9A-Za-z]{4}-[0-9A-Za-z]{4}-[0-9A-Za-z]{12})$`)

// kindOf returns the first character of a JSON value, '0' for every number.
func kindOf(value json.RawMessage) rune {
	if c := value[0]; c != '-' && (c < '0' || c > '9') {
		return rune(c)
	}
	return '0'
}

// textOf returns the value of a JSON string, and "" for anything else.
func textOf(value json.RawMessage) (text string) {
	_ = json.Unmarshal(value, &text)
	return text
}

// recipients returns the tokens of a message: one, or a list.
func recipients(value json.RawMessage) []string {
	var list []string
	if json.Unmarshal(value, &list) == nil {
		return list
	}
	if one := textOf(value); one != "" {
		return []string{one}
	}
	return nil
}

func parseReceiptIDs(r *http.Request) ([]string, *expoRefusal) {
	body, err := readBody(r)
	if err != nil {
		return nil, expoInvalid("The request body cannot be read: %v.", err)
	}
	var asked struct {
		IDs []string `json:"ids"`
	}
	if err := json.Unmarshal(body, &asked); err != nil || asked.IDs == nil {
		return nil, expoInvalid(`"ids" must be an array of strings.`)
	}
	if len(asked.IDs) > maxExpoReceipts {
		return nil, &expoRefusal{http.StatusBadRequest, "PUSH_TOO_MANY_RECEIPTS",
			fmt.Sprintf("You are trying to get more than %d push receipts in one request.", maxExpoReceipts), nil}
	}
	return asked.IDs, nil
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
