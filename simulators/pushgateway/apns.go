package pushgateway

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// apnsError is an error status with its documented reason.
type apnsError struct {
	status int
	reason string
	since  time.Time // with Unregistered
}

func apnsBadRequest(reason string) *apnsError {
	return &apnsError{status: http.StatusBadRequest, reason: reason}
}

func (e *apnsError) write(w http.ResponseWriter) {
	body := map[string]any{"reason": e.reason}
	if !e.since.IsZero() {
		body["timestamp"] = e.since.UnixMilli()
	}
	writeJSON(w, e.status, body)
}

// apnsFaultError returns a fault in APNs's format.
func apnsFaultError(w http.ResponseWriter, f Fault) *apnsError {
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	reason := f.Code
	if reason == "" {
		reason = map[int]string{403: "ExpiredProviderToken", 410: "Unregistered", 413: "PayloadTooLarge",
			429: "TooManyRequests",
			500: "InternalServerError", 503: "ServiceUnavailable"}[f.Status]
	}
	return &apnsError{status: f.Status, reason: reason}
}

// apnsNotFound responds to paths under /3/ that name no device.
func (g *Gateway) apnsNotFound(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/3/device/" {
		apnsBadRequest("MissingDeviceToken").write(w)
		return
	}
	(&apnsError{status: http.StatusNotFound, reason: "BadPath"}).write(w)
}

func (g *Gateway) apnsSend(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor < 2 && !g.cfg.AnyHTTP {
		http.Error(w, "APNs speaks HTTP/2 alone", http.StatusHTTPVersionNotSupported)
		return
	}
	body, readErr := readBody(r) // before locking: a slow sender must not block others
	g.mu.Lock()
	defer g.mu.Unlock()
	id := r.Header.Get("apns-id")
	if id == "" {
		id = g.newID()
	}
	if !apnsIDPattern.MatchString(id) {
		apnsBadRequest("BadMessageId").write(w)
		return
	}
	w.Header().Set("apns-id", id)
	if refused := g.apnsHandle(w, r, id, body, readErr); refused != nil {
		g.refuse(APNs, r.PathValue("token"), refused.reason)
		refused.write(w)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// apnsHandle delivers a notification to the phone, or returns why not; readErr is why there is no body. REQUIRES: g.mu
// is held.
func (g *Gateway) apnsHandle(w http.ResponseWriter, r *http.Request, id string, body []byte, readErr error) *apnsError {
	if fault, failing := g.takeFault(APNs); failing {
		return apnsFaultError(w, fault)
	}
	if r.Method != http.MethodPost {
		return &apnsError{status: http.StatusMethodNotAllowed, reason: "MethodNotAllowed"}
	}
	if refused := g.checkProviderToken(r); refused != nil {
		return refused
	}
	if refused := g.checkAPNsHeaders(r.Header); refused != nil {
		return refused
	}
	d, refused := parseAPNs(body, readErr)
	if refused != nil {
		return refused
	}
	d.Service, d.Token, d.ID = APNs, r.PathValue("token"), id
	return g.apnsDeliver(d)
}

// apnsDeliver checks the device and delivers to it. REQUIRES: g.mu is held.
func (g *Gateway) apnsDeliver(d Delivery) *apnsError {
	known := g.tokens[d.Token]
	switch {
	case !apnsTokenPattern.MatchString(d.Token) || known == nil || known.service != APNs:
		return apnsBadRequest("BadDeviceToken")
	case !known.invalidSince.IsZero():
		return &apnsError{status: http.StatusGone, reason: "Unregistered", since: known.invalidSince}
	}
	if _, ok := g.allow("apns device "+d.Token, 1, g.cfg.DevicePerMinute, time.Minute); !ok {
		return &apnsError{status: http.StatusTooManyRequests, reason: "TooManyRequests"}
	}
	d.Phone = known.phone.ID
	g.deliver(d)
	return nil
}

var (
	apnsIDPattern    = lazyregexp.New(`^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$`)
	apnsTokenPattern = lazyregexp.New(`^([0-9A-Fa-f]{2}){8,100}$`)
)

// apnsTypes are the documented values of apns-push-type.
var apnsTypes = map[string]bool{"alert": true, "background": true, "controls": true, "location": true, "voip": true,
	"complication": true,
	"fileprovider": true, "mdm": true, "liveactivity": true, "pushtotalk": true, "widgets": true}

// checkAPNsHeaders checks the headers of a notification against their documented formats.
func (g *Gateway) checkAPNsHeaders(h http.Header) *apnsError {
	for _, name := range []string{"apns-id", "apns-topic", "apns-push-type", "apns-expiration", "apns-priority",
		"apns-collapse-id"} {
		if len(h.Values(name)) > 1 {
			return apnsBadRequest("DuplicateHeaders")
		}
	}
	_, expires := strconv.ParseInt(h.Get("apns-expiration"), 10, 64)
	switch priority := h.Get("apns-priority"); {
	case h.Get("apns-topic") == "":
		return apnsBadRequest("MissingTopic")
	case h.Get("apns-topic") != g.cfg.Topic:
		return apnsBadRequest("DeviceTokenNotForTopic")
	case h.Get("apns-push-type") != "" && !apnsTypes[h.Get("apns-push-type")]:
		return apnsBadRequest("InvalidPushType")
	case h.Get("apns-expiration") != "" && expires != nil:
		return apnsBadRequest("BadExpirationDate")
	case priority != "" && priority != "1" && priority != "5" && priority != "10":
		return apnsBadRequest("BadPriority")
	case len(h.Get("apns-collapse-id")) > 64:
		return apnsBadRequest("BadCollapseId")
	}
	return nil
}

// parseAPNs parses the payload: aps contains what is shown, and the rest is for the app.
func parseAPNs(body []byte, readErr error) (Delivery, *apnsError) {
	switch {
	case len(body) > maxPayload || readErr == errTooLong:
		return Delivery{}, &apnsError{status: http.StatusRequestEntityTooLarge, reason: "PayloadTooLarge"}
	case readErr != nil || len(body) == 0:
		return Delivery{}, apnsBadRequest("PayloadEmpty")
	}
	var payload map[string]json.RawMessage
	if json.Unmarshal(body, &payload) != nil || payload["aps"] == nil {
		return Delivery{}, apnsBadRequest("PayloadEmpty")
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
