package webconsole

import (
	"cmp"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// anyKey is the access key of requests without identities, when DynamoDB accepts any.
var anyKey = identity.Key{ID: "tabletop", Secret: "tabletop"}

// serviceName is DynamoDB's name in signatures.
const serviceName = "dynamodb"

// maxSignIn is the size in bytes of the largest sign-in request.
const maxSignIn = 4 << 10

// sessionState is the response of GET and POST session.
type sessionState struct {
	Identities bool   `json:"identities"` // whether DynamoDB verifies signatures: then users sign in
	User       string `json:"user"`       // name of the user who has signed in; empty: none
	Version    string `json:"version"`
}

// serveSession reports who has signed in, and signs users in and out.
func (c *console) serveSession(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		c.writeSession(w, c.user(r))
	case http.MethodPost:
		c.signIn(w, r)
	case http.MethodDelete:
		c.sessions.end(sessionID(r))
		setSessionID(w, r, "")
		w.WriteHeader(http.StatusNoContent)
	default:
		refuseMethod(w, http.MethodGet, http.MethodPost, http.MethodDelete)
	}
}

func (c *console) writeSession(w http.ResponseWriter, user string) {
	writeJSON(w, sessionState{c.identified(), user, c.Version})
}

// identified reports whether DynamoDB verifies signatures and evaluates policies.
func (c *console) identified() bool { return c.Identities.Gate(serviceName).Enabled() }

// signIn starts a session for the user of an access key, if its secret is right, and ends the previous one, if any.
func (c *console) signIn(w http.ResponseWriter, r *http.Request) {
	if !c.identified() {
		control.WriteProblem(w, http.StatusConflict, "there are no identities, so nobody signs in: "+
			"to have users, start the emulator with --identities")
		return
	}
	var in struct{ AccessKeyID, SecretAccessKey string }
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxSignIn)).Decode(&in); err != nil {
		control.WriteProblem(w, http.StatusBadRequest, `the body must be {"accessKeyId":"…","secretAccessKey":"…"}`)
		return
	}
	key := identity.Key{ID: in.AccessKeyID, Secret: in.SecretAccessKey}
	who, err := c.authenticate(key)
	if err != nil {
		control.WriteProblem(w, http.StatusUnauthorized, "the access key or its secret is wrong: "+
			"use a key of the identities that the emulator was started with, or create one with the admin API")
		return
	}
	c.sessions.end(sessionID(r))
	setSessionID(w, r, c.sessions.begin(key))
	c.writeSession(w, who.UserName)
}

// authenticate returns the user of an access key. Errors: identity.Error if DynamoDB would refuse the key.
func (c *console) authenticate(key identity.Key) (*identity.Principal, error) {
	r := &http.Request{Method: http.MethodPost, URL: &url.URL{Path: "/"}, Header: http.Header{}, Host: internalHost}
	key.Sign(r, serviceName, c.region(), time.Now())
	return c.Identities.Gate(serviceName).Authenticate(r, nil)
}

// region returns the region that requests are signed for by default.
func (c *console) region() string { return cmp.Or(c.Identities.Region(), accounts.DefaultRegion) }

// internalHost is the host of requests that the console sends to the services.
const internalHost = "localhost"

// errSignedOut reports that identities are enabled and nobody has signed in, or that the session has ended.
var errSignedOut = errors.New("nobody has signed in, or the session has ended: sign in with an access key")

// key returns the access key to sign a request to DynamoDB with: that of the user who has signed in, or, without
// identities, the chosen one. Errors: errSignedOut.
func (c *console) key(r *http.Request, chosen identity.Key) (identity.Key, error) {
	if !c.identified() {
		return chosen, nil
	}
	if key, ok := c.sessions.find(sessionID(r)); ok {
		return key, nil
	}
	return identity.Key{}, errSignedOut
}

// user returns the name of the user who has signed in, or an empty string if there is none, or if the user's key does
// not exist any more.
func (c *console) user(r *http.Request) string {
	key, err := c.key(r, anyKey)
	if err != nil || !c.identified() {
		return ""
	}
	who, err := c.authenticate(key)
	if err != nil {
		return ""
	}
	return who.UserName
}

// cookieName returns the name of the cookie that has the session's id. It contains the port, because browsers send the
// cookies of a host to all its ports, and so to other emulators.
func cookieName(r *http.Request) string {
	_, port, _ := net.SplitHostPort(r.Host)
	return "tabletop-console-" + port
}

// sessionID returns the session id that a request has, or an empty string.
func sessionID(r *http.Request) string {
	cookie, err := r.Cookie(cookieName(r))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// setSessionID makes the browser send a session's id with its next requests; an empty id makes it forget the id.
func setSessionID(w http.ResponseWriter, r *http.Request, id string) {
	cookie := http.Cookie{Name: cookieName(r), Value: id, Path: control.ConsolePath, HttpOnly: true, Secure: r.TLS != nil,
		SameSite: http.SameSiteStrictMode, MaxAge: int(sessionLifetime / time.Second)}
	if id == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(w, &cookie)
}
