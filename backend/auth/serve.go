package auth

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	defaultLifetime = time.Hour
	maxLifetime     = 30 * 24 * time.Hour
	maxRequest      = 64 << 10 // bytes
)

// Mount serves the issuer under /auth on mux: its discovery document, its keys, and POST /auth/token, which issues a
// token to any caller. It is for development only.
func (i *Issuer) Mount(mux *http.ServeMux) {
	mux.HandleFunc("GET /auth"+wellKnown, func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, "application/json", discovery{
			Issuer: i.URL, KeysURL: i.URL + "/jwks.json", TokenURL: i.URL + "/token", Algorithms: []string{"ES256"},
			Responses: []string{"token"}, Subjects: []string{"public"},
		})
	})
	mux.HandleFunc("GET /auth/jwks.json", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, "application/jwk-set+json", jose.JSONWebKeySet{Keys: i.keys})
	})
	mux.HandleFunc("POST /auth/token", i.serveToken)
}

// tokenRequest is the body of POST /auth/token.
type tokenRequest struct {
	Subject  string   `json:"subject"`
	Roles    []string `json:"roles"`
	Lifetime int64    `json:"lifetime"` // seconds; default: one hour
}

func (i *Issuer) serveToken(w http.ResponseWriter, r *http.Request) {
	in := tokenRequest{Lifetime: int64(defaultLifetime / time.Second)}
	body := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest))
	body.DisallowUnknownFields()
	if err := body.Decode(&in); err != nil {
		writeProblem(w, http.StatusBadRequest, "body",
			`must look like {"subject": "ana", "roles": ["reviewer"], "lifetime": 3600}`)
		return
	}
	if in.Lifetime < 1 || in.Lifetime > int64(maxLifetime/time.Second) {
		writeProblem(w, http.StatusUnprocessableEntity, "body.lifetime", "must be 1 to 2592000 seconds (30 days)")
		return
	}
	if !ValidSubject(in.Subject) {
		writeProblem(w, http.StatusUnprocessableEntity, "body.subject",
			`must be 1 to 255 letters, digits and "._:@|+=-", not starting with a dot`)
		return
	}
	token, err := i.Token(in.Subject, time.Duration(in.Lifetime)*time.Second, in.Roles...)
	if err != nil {
		writeProblem(w, http.StatusUnprocessableEntity, "body.roles",
			`must be at most 64, each of 1 to 64 letters, digits and "._:@|+=-"`)
		return
	}
	w.Header().Set("Cache-Control", "no-store") // RFC 6749, section 5.1
	writeJSON(w, http.StatusOK, "application/json", map[string]any{
		"access_token": token, "token_type": "Bearer", "expires_in": in.Lifetime,
	})
}

func writeProblem(w http.ResponseWriter, status int, location, message string) {
	writeJSON(w, status, "application/problem+json", map[string]any{
		"title": http.StatusText(status), "status": status, "detail": "the request is not valid",
		"errors": []map[string]string{{"location": location, "message": message}},
	})
}

func writeJSON(w http.ResponseWriter, status int, contentType string, body any) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // fails only when the caller has disconnected
}
