package pushgateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// fcmTokenPattern matches registration tokens: an instance id, a colon and a long string.
var fcmTokenPattern = lazyregexp.New(`^[0-9A-Za-z_-]{11,64}:[0-9A-Za-z_-]{100,300}$`)

// jsonObject is an object in a request and its path.
type jsonObject struct {
	at     string
	fields map[string]json.RawMessage
}

// fcmObject parses an object that may have only the known fields. JSON null is an empty object.
func fcmObject(at string, text json.RawMessage, known ...string) (jsonObject, *fcmError) {
	o := jsonObject{at: at}
	if err := json.Unmarshal(text, &o.fields); err != nil {
		if at == "" {
			return o, fcmInvalidField("", "Invalid JSON payload received. Unexpected token.")
		}
		return o, fcmInvalidField(at,
			fmt.Sprintf("Invalid value at '%s' (type.googleapis.com/google.firebase.fcm.v1.Message)",
				at))
	}
	for _, name := range slices.Sorted(maps.Keys(o.fields)) {
		if known != nil && !slices.Contains(known, name) {
			where := ""
			if at != "" {
				where = fmt.Sprintf(" at '%s'", at)
			}
			return o, fcmInvalidField(at, fmt.Sprintf("Invalid JSON payload received. Unknown name %q%s: Cannot find field.",
				name,
				where))
		}
	}
	return o, nil
}

// text returns an optional field that must be a string.
func (o jsonObject) text(name string) (string, *fcmError) {
	value, present := o.fields[name]
	if !present || string(value) == "null" {
		return "", nil
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		at := strings.TrimPrefix(o.at+"."+name, ".")
		return "", fcmInvalidField(at, fmt.Sprintf("Invalid value at '%s' (TYPE_STRING), %s", at, value))
	}
	return text, nil
}

// parseFCM parses a request to messages:send with a token; this gateway supports neither topics nor conditions.
func parseFCM(body []byte) (m fcmMessage, refused *fcmError) {
	request, refused := fcmObject("", body, "message", "validate_only", "validateOnly")
	if refused != nil {
		return m, refused
	}
	for _, name := range []string{"validate_only", "validateOnly"} {
		if value, present := request.fields[name]; present && json.Unmarshal(value, &m.validateOnly) != nil {
			return m, fcmInvalidField(name, fmt.Sprintf("Invalid value at '%s' (TYPE_BOOL), %s", name, value))
		}
	}
	if request.fields["message"] == nil {
		return m, fcmInvalidField("message", "The message is not set.")
	}
	message, refused := fcmObject("message", request.fields["message"], "name", "data", "notification", "android",
		"webpush", "apns",
		"fcm_options", "fcmOptions", "token", "topic", "condition")
	if refused != nil {
		return m, refused
	}
	if m.token, refused = message.text("token"); refused != nil {
		return m, refused
	}
	if m.token == "" {
		return m, fcmInvalidField("message", "Recipient of the message is not set.")
	}
	if refused := m.parseNotification(message.fields["notification"]); refused != nil {
		return m, refused
	}
	if refused := m.parseData(message.fields["data"]); refused != nil {
		return m, refused
	}
	m.size = len(m.title) + len(m.body) + len(m.data)
	return m, nil
}

func (m *fcmMessage) parseNotification(text json.RawMessage) (refused *fcmError) {
	if text == nil {
		return nil
	}
	n, refused := fcmObject("message.notification", text, "title", "body", "image")
	if refused != nil {
		return refused
	}
	if m.title, refused = n.text("title"); refused != nil {
		return refused
	}
	m.body, refused = n.text("body")
	return refused
}

// parseData checks that the data consists of strings under names that the service does not reserve.
func (m *fcmMessage) parseData(text json.RawMessage) *fcmError {
	if text == nil || bytes.Equal(text, []byte("null")) {
		return nil
	}
	data, refused := fcmObject("message.data", text)
	if refused != nil {
		return refused
	}
	for i, name := range slices.Sorted(maps.Keys(data.fields)) {
		var value string
		if err := json.Unmarshal(data.fields[name], &value); err != nil {
			at := fmt.Sprintf("message.data[%d].value", i)
			return fcmInvalidField(at, fmt.Sprintf("Invalid value at '%s' (TYPE_STRING), %s", at, data.fields[name]))
		}
		if name == "from" || name == "message_type" || strings.HasPrefix(name, "google") || strings.HasPrefix(name, "gcm") {
			return fcmInvalidMessage("Invalid data payload key: " + name)
		}
	}
	m.data = text
	return nil
}
