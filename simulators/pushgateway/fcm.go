package pushgateway

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// fcmError is a google.rpc.Status in the service's format, with FCM's own code and the field in its details.
type fcmError struct {
	http          int
	status        string // of google.rpc.Code
	message       string
	code          string // of FcmError; none when empty
	field, reason string // of BadRequest; none when empty
	retryAfter    time.Duration
}

func (e *fcmError) write(w http.ResponseWriter) {
	var details []any
	if e.code != "" {
		details = append(details, map[string]string{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
			"errorCode": e.code})
	}
	if e.field != "" {
		details = append(details, map[string]any{"@type": "type.googleapis.com/google.rpc.BadRequest",
			"fieldViolations": []any{map[string]string{"field": e.field, "description": e.reason}}})
	}
	body := map[string]any{"code": e.http, "message": e.message, "status": e.status}
	if details != nil {
		body["details"] = details
	}
	if e.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((e.retryAfter+time.Second-1)/time.Second)))
	}
	writeJSON(w, e.http, map[string]any{"error": body})
}

// fcmInvalidField returns the error of an invalid field in the request.
func fcmInvalidField(field, message string) *fcmError {
	return &fcmError{http: http.StatusBadRequest, status: "INVALID_ARGUMENT", message: message, field: field,
		reason: message}
}

// fcmInvalidMessage returns the error of an invalid message, with FCM's own code.
func fcmInvalidMessage(message string) *fcmError {
	return &fcmError{http: http.StatusBadRequest, status: "INVALID_ARGUMENT", message: message, code: "INVALID_ARGUMENT"}
}

// fcmFaultError returns a fault in FCM's format.
func fcmFaultError(f Fault) *fcmError {
	e := &fcmError{http: f.Status, code: f.Code, message: http.StatusText(f.Status),
		retryAfter: time.Duration(f.RetryAfter) * time.Second}
	e.status = map[int]string{400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
		429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}[f.Status]
	if f.Code == "" {
		e.code = map[int]string{404: "UNREGISTERED", 429: "QUOTA_EXCEEDED", 500: "INTERNAL", 503: "UNAVAILABLE"}[f.Status]
	}
	return e
}

func (g *Gateway) fcmSend(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	fault, failing := g.takeFault(FCM)
	g.mu.Unlock()
	project := r.PathValue("project")
	var name, token string
	var refused *fcmError
	if failing {
		refused = fcmFaultError(fault)
	} else {
		name, token, refused = g.fcmHandle(r, project)
	}
	if refused != nil {
		g.mu.Lock()
		g.refuse(FCM, token, cmp.Or(refused.code, refused.status))
		g.mu.Unlock()
		refused.write(w)
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"name": "projects/" + project + "/messages/" + name})
}

// fcmHandle delivers the message of a request. token is that of the message, as far as the request has one.
func (g *Gateway) fcmHandle(r *http.Request, project string) (name, token string, refused *fcmError) {
	if r.Method != http.MethodPost || r.PathValue("call") != "messages:send" {
		return "", "", &fcmError{http: http.StatusNotFound, status: "NOT_FOUND",
			message: "The requested URL was not found on this server."}
	}
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); !ok || bearer == "" {
		return "", "", &fcmError{http: http.StatusUnauthorized, status: "UNAUTHENTICATED",
			message: "Request is missing required " +
				"authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential."}
	}
	body, err := readBody(r)
	if err != nil {
		return "", "", fcmInvalidField("", "Invalid JSON payload received. The body cannot be read: "+err.Error())
	}
	m, refused := parseFCM(body)
	if refused != nil {
		return "", "", refused
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	name, refused = g.fcmDeliver(project, m)
	return name, m.token, refused
}

// fcmDeliver delivers a message to the phone, or returns why not. REQUIRES: g.mu is held.
func (g *Gateway) fcmDeliver(project string, m fcmMessage) (name string, refused *fcmError) {
	r := g.tokens[m.token]
	switch {
	case r == nil && !fcmTokenPattern.MatchString(m.token) || r != nil && r.service != FCM:
		return "", fcmInvalidMessage("The registration token is not a valid FCM registration token")
	case r == nil || !r.invalidSince.IsZero():
		return "", &fcmError{http: http.StatusNotFound, status: "NOT_FOUND", message: "Requested entity was not found.",
			code: "UNREGISTERED"}
	case r.phone.Project != project:
		return "", &fcmError{http: http.StatusForbidden, status: "PERMISSION_DENIED", message: "SenderId mismatch",
			code: "SENDER_ID_MISMATCH"}
	case m.size > maxPayload:
		return "", fcmInvalidMessage("Android message is too big")
	}
	for limit, limitValue := range map[string]int{"fcm " + project: g.cfg.FCMPerMinute,
		"fcm device " + m.token: g.cfg.DevicePerMinute} {
		if until, ok := g.allow(limit, 1, limitValue, time.Minute); !ok {
			return "", &fcmError{http: http.StatusTooManyRequests, status: "RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED",
				message: "Quota exceeded for messages of this minute", retryAfter: until.Sub(g.now())}
		}
	}
	name = fmt.Sprintf("0:%d%%%016x", g.now().UnixMicro(), g.rand.Uint64())
	if !m.validateOnly {
		g.deliver(Delivery{Phone: r.phone.ID, Service: FCM, Token: m.token, ID: name, Title: m.title,
			Body: m.body, Data: m.data})
		return name, nil
	}
	return "fake_message_id", nil
}

// fcmMessage is the message in a request.
type fcmMessage struct {
	token, title, body string
	data               json.RawMessage
	size               int
	validateOnly       bool
}
