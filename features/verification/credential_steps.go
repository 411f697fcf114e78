package verification

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) credentialSteps(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" opens the session "([^"]*)"$`, w.opensSession)
	sc.Step(`^the session "([^"]*)" lists its cases$`, func(ctx context.Context, name string) {
		w.SendStep(ctx, w.session(name), http.MethodGet, "/cases", nil)
	})
	sc.Step(`^the session "([^"]*)" opens a case$`, func(ctx context.Context, name string) {
		w.SendStep(ctx, w.session(name), http.MethodPost, "/cases", newCase("omang"))
	})
	sc.Step(`^the session "([^"]*)" is ended$`, func(ctx context.Context, name string) {
		w.SendStep(ctx, w.session(name), http.MethodDelete, "/sessions/self", nil)
	})
	sc.Step(`^the session "([^"]*)" opens another session$`, func(ctx context.Context, name string) {
		w.SendStep(ctx, w.session(name), http.MethodPost, "/sessions", nil)
	})
	sc.Step(`^the key of "([^"]*)" is revoked$`, func(ctx context.Context, name string) error {
		c, err := w.client(ctx, name)
		if err != nil {
			return err
		}
		return w.MustSend(ctx, administrator, http.MethodDelete, "/api-keys/"+c.keyID, nil)
	})
	sc.Step(`^the administrator lists the API keys$`, func(ctx context.Context) error {
		if err := w.AwaitIndexEntries(ctx, table, "GSI1"); err != nil {
			return err
		}
		return w.MustSend(ctx, administrator, http.MethodGet, "/api-keys", nil)
	})
	sc.Step(`^(a case is opened|the cases are listed|"[^"]*" is read|"[^"]*" is submitted|a document of "[^"]*" is announced|a session is opened|"[^"]*" is completed|"[^"]*" is moved|"[^"]*" is reviewed|the documents of "[^"]*" are listed|the documents of "[^"]*" are reviewed|"[^"]*" is confirmed|"[^"]*" is marked|a new upload address for "[^"]*" is requested|the session is ended|the cases of a day are listed|the audit trail is read|a key is created|the keys are listed|the revocation of the key of "[^"]*" is requested|the key of contact data is rotated) with (.+)$`,
		w.requestsWith)
}

func (w *world) session(name string) httpapi.Credential {
	return httpapi.Header("Authorization", "Session "+w.sessions[name])
}

func (w *world) opensSession(ctx context.Context, name, called string) error {
	if err := w.act(ctx, name, http.MethodPost, "/sessions", nil); err != nil {
		return err
	}
	made, err := httpapi.Decode[struct{ SessionID, Token string }](w.Last)
	w.sessions[called] = made.Token
	w.Set("session "+called, made.SessionID)
	w.Set("token of "+called, made.Token)
	w.Set("secret of "+called, secretOf(made.Token))
	return err
}

// secretOf returns the secret part of a key or a token. The other part is its id, which is stored.
func secretOf(credential string) string {
	_, secret, _ := strings.Cut(credential, ".")
	return secret
}

// requestsWith sends one of the requests that need a credential, with the credential that a step names.
func (w *world) requestsWith(ctx context.Context, what, with string) error {
	as, err := w.credential(ctx, with)
	if err != nil {
		return err
	}
	called := ""
	if parts := strings.Split(what, `"`); len(parts) == 3 {
		called, what = parts[1], parts[0]+"…"+parts[2]
	}
	path, document := "/cases/"+w.cases[called], ""
	if d := w.documents[called]; d != nil {
		document = "/cases/" + w.cases[d.caseName] + "/documents/" + d.id
	}
	keyID := ""
	if c := w.clients[called]; c != nil {
		keyID = c.keyID
	}
	announced := map[string]any{"documentType": "selfie", "fileSize": 10, "mimeType": "image/png"}
	request, known := map[string]struct {
		method, path string
		body         any
	}{
		"a case is opened":                {http.MethodPost, "/cases", newCase("omang")},
		"the cases are listed":            {http.MethodGet, "/cases", nil},
		"… is read":                       {http.MethodGet, path, nil},
		"… is submitted":                  {http.MethodPost, path + "/submit", nil},
		"… is completed":                  {http.MethodPost, path + "/complete", nil},
		"… is reviewed":                   {http.MethodGet, "/review" + path, nil},
		"the documents of … are listed":   {http.MethodGet, path + "/documents", nil},
		"the documents of … are reviewed": {http.MethodGet, "/review" + path + "/documents", nil},
		"… is confirmed":                  {http.MethodPost, document + "/uploaded", nil},
		"… is marked": {http.MethodPost, document + "/status",
			map[string]string{"status": "processing"}},
		"a new upload address for … is requested":     {http.MethodPost, document + "/upload", nil},
		"the session is ended":                        {http.MethodDelete, "/sessions/self", nil},
		"the keys are listed":                         {http.MethodGet, "/api-keys", nil},
		"the revocation of the key of … is requested": {http.MethodDelete, "/api-keys/" + keyID, nil},
		"a document of … is announced":                {http.MethodPost, path + "/documents", announced},
		"a session is opened":                         {http.MethodPost, "/sessions", nil},
		"… is moved": {http.MethodPost, path + "/transition",
			map[string]string{"to": "processing"}},
		"the cases of a day are listed":      {http.MethodGet, "/review/cases?date=2026-01-14", nil},
		"the audit trail is read":            {http.MethodGet, "/audit?date=2026-01-14", nil},
		"a key is created":                   {http.MethodPost, "/api-keys", map[string]string{}},
		"the key of contact data is rotated": {http.MethodPost, "/pii-keys/rotate", nil},
	}[what]
	if !known {
		return fmt.Errorf("unknown request %q", what)
	}
	w.SendStep(ctx, as, request.method, request.path, request.body)
	return nil
}

// credential returns a credential by its name in steps: a good one, or one that is bad in one way.
func (w *world) credential(ctx context.Context, text string) (httpapi.Credential, error) {
	key := func(change func(string) string) (httpapi.Credential, error) {
		c, err := w.client(ctx, "acme")
		if err != nil {
			return nil, err
		}
		return httpapi.Header("X-API-Key", change(c.key)), nil
	}
	token := func(issuer *auth.Issuer, subject string, life time.Duration, roles ...string) (httpapi.Credential, error) {
		raw, err := issuer.Token(subject, life, roles...)
		return httpapi.Bearer(raw), err
	}
	switch text {
	case "no credential":
		return httpapi.Anonymous, nil
	case "a key cut short":
		return key(func(k string) string { return k[:len(k)-1] })
	case "a key with another secret":
		return key(func(k string) string { return k[:strings.Index(k, ".")+1] + strings.Repeat("0", 64) })
	case "a key in capitals":
		return key(strings.ToUpper)
	case "a key of nobody":
		return httpapi.Header("X-API-Key", "key_00000000-0000-4000-8000-000000000000."+strings.Repeat("0", 64)), nil
	case "a key as a session":
		return key(func(k string) string { return "ses_" + strings.TrimPrefix(k, "key_") })
	case "a client's key":
		return key(func(k string) string { return k })
	case "the administrator's token":
		return administrator, nil
	case "a wrong administrator's token":
		return httpapi.Bearer(adminToken + "!"), nil
	case "a reviewer's token":
		return w.reviewer("rita")
	case "a token without the role":
		return token(w.issuer, "rita", time.Hour, "auditor")
	case "an expired token":
		return token(w.issuer, "rita", -time.Minute, "reviewer")
	case "a token of another issuer":
		other, err := auth.NewIssuer(w.Clock.Now)
		if err != nil {
			return nil, err
		}
		return token(other, "rita", time.Hour, "reviewer")
	case "a token about an address":
		return token(w.issuer, "rita@example.com", time.Hour, "reviewer")
	}
	return nil, fmt.Errorf("unknown credential %q", text)
}
