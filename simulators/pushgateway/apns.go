package pushgateway

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// apnsRefusal is an error status with its documented reason.
type apnsRefusal struct {
	status int
	reason string
	since  time.Time // with Unregistered
}

func apnsBad(reason string) *apnsRefusal {
	return &apnsRefusal{status: http.StatusBadRequest, reason: reason}
}

func (e *apnsRefusal) write(w http.ResponseWriter) {
	body := map[string]any{"reason": e.reason}
	if !e.since.IsZero() {
		body["timestamp"] = e.since.UnixMilli()
	}
	writeJSON(w, e.status, body)
}

// apnsFault returns a fault in APNs's format.
func apnsFault(w http.ResponseWriter, f Fault) *apnsRefusal {
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	reason := f.Code
	if reason == "" {
		reason = map[int]string{403: "ExpiredProviderToken", 410: "Unregistered", 413: "PayloadTooLarge",
			429: "TooManyRequests",
			500: "InternalServerError", 503: "ServiceUnavailable"}[f.Status]
	}
	return &apnsRefusal{status: f.Status, reason: reason}
}

// apnsElsewhere responds to paths under /3/ that name no device.
func (g *Gateway) apnsElsewhere(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/3/device/" {
		apnsBad("MissingDeviceToken").write(w)
		return
	}
	(&apnsRefusal{status: http.StatusNotFound, reason: "BadPath"}).write(w)
}

func (g *Gateway) apnsSend(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor < 2 && !g.cfg.AnyHTTP {
		http.Error(w, "APNs speaks HTTP/2 alone", http.StatusHTTPVersionNotSupported)
		return
	}
	body, unread := readBody(r) // before locking: a slow sender must not block others
	g.mu.Lock()
	defer g.mu.Unlock()
	id := r.Header.Get("apns-id")
	if id == "" {
		id = g.id()
	}
	if !apnsIDForm.MatchString(id) {
		apnsBad("BadMessageId").write(w)
		return
	}
	w.Header().Set("apns-id", id)
	if refused := g.apnsTake(w, r, id, body, unread); refused != nil {
		refused.write(w)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// apnsTake delivers a notification to the phone, or returns why not; unread is why there is no body. REQUIRES: g.mu is
// held.
func (g *Gateway) apnsTake(w http.ResponseWriter, r *http.Request, id string, body []byte, unread error) *apnsRefusal {
	if fault, failing := g.fault(APNs); failing {
		return apnsFault(w, fault)
	}
	if r.Method != http.MethodPost {
		return &apnsRefusal{status: http.StatusMethodNotAllowed, reason: "MethodNotAllowed"}
	}
	if refused := g.apnsKnows(r); refused != nil {
		return refused
	}
	if refused := g.apnsHeaders(r.Header); refused != nil {
		return refused
	}
	d, refused := parseAPNs(body, unread)
	if refused != nil {
		return refused
	}
	d.Service, d.Token, d.ID = APNs, r.PathValue("token"), id
	return g.apnsDeliver(d)
}

// apnsDeliver checks the device and delivers to it. REQUIRES: g.mu is held.
func (g *Gateway) apnsDeliver(d Delivery) *apnsRefusal {
	known := g.tokens[d.Token]
	switch {
	case !apnsTokenForm.MatchString(d.Token) || known == nil || known.service != APNs:
		return apnsBad("BadDeviceToken")
	case !known.dead.IsZero():
		return &apnsRefusal{status: http.StatusGone, reason: "Unregistered", since: known.dead}
	}
	if _, ok := g.allow("apns device "+d.Token, 1, g.cfg.DevicePerMinute, time.Minute); !ok {
		return &apnsRefusal{status: http.StatusTooManyRequests, reason: "TooManyRequests"}
	}
	d.Phone = known.phone.ID
	g.deliver(d)
	return nil
}

var (
	apnsIDForm    = regexp.MustCompile(`^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$`)
	apnsTokenForm = regexp.MustCompile(`^([0-9A-Fa-f]{2}){8,100}$`)
)

// apnsTypes are the documented values of apns-push-type.
var apnsTypes = map[string]bool{"alert": true, "background": true, "controls": true, "location": true, "voip": true,
	"complication": true,
	"fileprovider": true, "mdm": true, "liveactivity": true, "pushtotalk": true, "widgets": true}

// apnsHeaders checks the headers of a notification against their documented formats.
func (g *Gateway) apnsHeaders(h http.Header) *apnsRefusal {
	for _, name := range []string{"apns-id", "apns-topic", "apns-push-type", "apns-expiration", "apns-priority",
		"apns-collapse-id"} {
		if len(h.Values(name)) > 1 {
			return apnsBad("DuplicateHeaders")
		}
	}
	_, expires := strconv.ParseInt(h.Get("apns-expiration"), 10, 64)
	switch priority := h.Get("apns-priority"); {
	case h.Get("apns-topic") == "":
		return apnsBad("MissingTopic")
	case h.Get("apns-topic") != g.cfg.Topic:
		return apnsBad("DeviceTokenNotForTopic")
	case h.Get("apns-push-type") != "" && !apnsTypes[h.Get("apns-push-type")]:
		return apnsBad("InvalidPushType")
	case h.Get("apns-expiration") != "" && expires != nil:
		return apnsBad("BadExpirationDate")
	case priority != "" && priority != "1" && priority != "5" && priority != "10":
		return apnsBad("BadPriority")
	case len(h.Get("apns-collapse-id")) > 64:
		return apnsBad("BadCollapseId")
	}
	return nil
}

// parseAPNs parses the payload: aps contains what is shown, and the rest is for the app.
func parseAPNs(body []byte, unread error) (Delivery, *apnsRefusal) {
	switch {
	case len(body) > maxPayload || unread == errTooLong:
		return Delivery{}, &apnsRefusal{status: http.StatusRequestEntityTooLarge, reason: "PayloadTooLarge"}
	case unread != nil || len(body) == 0:
		return Delivery{}, apnsBad("PayloadEmpty")
	}
	var payload map[string]json.RawMessage
	if json.Unmarshal(body, &payload) != nil || payload["aps"] == nil {
		return Delivery{}, apnsBad("PayloadEmpty")
	}
	var shown struct {
		Alert struct {
			Title string `json:"title"`
			Body  string `json:"body"`
		} `json:"alert"`
	}
	_ = json.Unmarshal(payload["aps"], &shown) // an alert can be a string, or missing
	d := Delivery{Title: shown.Alert.Title, Body: shown.Alert.Body}
	delete(payload, "aps")
	if len(payload) > 0 {
		d.Data, _ = json.Marshal(payload) // re-encodes decoded JSON
	}
	return d, nil
}
