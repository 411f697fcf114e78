package verification

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/features/access"
	"github.com/tabletop-db/tabletop/features/httpapi"
)

// Kinds of credentials that only this system has.
const (
	clientsKey     = "the client's key"
	clientsSession = "a session of the client"
	strangersKey   = "another client's key"
	reviewersToken = "a reviewer's token"
	cutShort       = "a key cut short"
	otherSecret    = "a key with another secret"
	unknownKey     = "an unknown key"
	revokedKey     = "a revoked key"
	sessionSecret  = "a session with another secret"
	endedSession   = "a session that was ended"
	oldSession     = "a session past its hour"
	revokedSession = "a session of a revoked key"
	withoutRole    = "a token without the role"
	withAddress    = "a token about an address"
)

// Access returns who may do what with identity verification.
func Access() access.System {
	key, session := `GetItem of "AuthBridgeTable" where "PK = 'APIKEY#`,
		`GetItem of "AuthBridgeTable" where "PK = 'SESSION#`
	s := access.System{
		Name: "verification", Title: "Identity verification", Kinds: []access.Kind{{Name: access.None}},
		Open: access.MonitoringOperations(),
		Except: map[string]access.Exception{
			"create-session": {Kinds: []string{clientsSession}, Status: http.StatusBadRequest,
				Reason: "a session can only be opened with a key"},
			"end-session": {Kinds: []string{clientsKey, strangersKey}, Status: http.StatusBadRequest,
				Reason: "a session can only end itself"},
		},
		Absent: map[string][]string{},
	}
	add := func(scheme string, status int, name string, asks ...string) {
		s.Kinds = append(s.Kinds, access.Kind{Name: name, Scheme: scheme, Status: status, Calls: asks})
	}
	const client = "client"
	add(client, http.StatusUnauthorized, cutShort)
	for _, name := range []string{otherSecret, unknownKey, revokedKey} {
		add(client, http.StatusUnauthorized, name, key)
	}
	for _, name := range []string{sessionSecret, endedSession, oldSession} {
		add(client, http.StatusUnauthorized, name, session)
	}
	add(client, http.StatusUnauthorized, revokedSession, session, key)
	add(client, 0, clientsKey, key)
	add(client, 0, clientsSession, session, key)
	s.Kinds = append(s.Kinds, access.Kind{Name: strangersKey, Scheme: client, Of: clientsKey, Calls: []string{key}})
	s.Kinds = append(s.Kinds, access.BadTokens()...)
	add(auth.Scheme, http.StatusForbidden, withoutRole)
	add(auth.Scheme, http.StatusForbidden, withAddress)
	add(auth.Scheme, 0, reviewersToken)
	s.Kinds = append(s.Kinds, access.Operators("adminToken")...)
	for _, id := range []string{
		"add-document", "complete-case", "confirm-document", "get-case", "list-documents", "renew-upload", "submit-case",
	} { // the case, and then the audit entry of the request
		s.Absent[id] = []string{
			`GetItem of "AuthBridgeTable" where "PK = 'CASE#{verificationId}' AND SK = 'META'", consistent`,
			`PutItem of "AuthBridgeTable", only if "attribute_not_exists(PK)"`,
		}
	}
	return s
}

func (w *world) access(sc *godog.ScenarioContext) {
	stage := &access.Tester{System: Access(), Service: w.Service, NewUser: w.clientWithCase}
	stage.UseDynamoDB(w.World, table)
	stage.Steps(sc)
}

// clientWithCase creates a client with a case, a document, keys and sessions. The case is in the state that the
// operation needs.
func (w *world) clientWithCase(ctx context.Context, name, operation string) (access.TestUser, error) {
	p := access.TestUser{Credentials: access.OperatorCredentials(adminToken), Private: []string{name},
		Values: access.Values{
			"create-case.customerMetadata": customer(), "add-document.documentType": "selfie", "move-case.to": "processing",
			"set-document-status.status": "processing", "date": w.Clock.Now().UTC().Format(time.DateOnly),
			"read-audit.user": "client_" + name,
		}}
	if operation == "" {
		if err := w.oldSession(ctx, name, &p); err != nil {
			return p, err
		}
	}
	c, err := w.client(ctx, name)
	if err != nil {
		return p, err
	}
	p.AddPrivateValue("keyId", c.keyID)
	p.Private = append(p.Private, c.key)
	if err := errors.Join(w.caseFor(ctx, name, operation, &p), w.showKeys(ctx, c, &p)); err != nil {
		return p, err
	}
	return p, w.showReviewers(&p)
}

// caseFor opens a case with a document, and moves it to the state that an operation needs.
func (w *world) caseFor(ctx context.Context, name, operation string, p *access.TestUser) error {
	steps := []func() error{
		func() error { return w.hasOpened(ctx, name, name) },
		func() error { return w.announces(ctx, name, "selfie", name) },
		func() error { return w.sendFile(ctx, "selfie", nil) },
		func() error { return w.confirms(ctx, name, "selfie") },
		func() error { return w.act(ctx, name, http.MethodPost, "/cases/"+w.cases[name]+"/complete", nil) },
		func() error { return w.act(ctx, name, http.MethodPost, "/cases/"+w.cases[name]+"/submit", nil) },
	}
	far := map[string]int{"confirm-document": 3, "complete-case": 4, "submit-case": 5, "move-case": 6,
		"set-document-status": 6}[operation]
	for _, step := range steps[:max(far, 2)] {
		if err := errors.Join(step(), w.Last.Succeeded()); err != nil {
			return err
		}
	}
	p.AddPrivateValue("verificationId", w.cases[name])
	p.AddPrivateValue("documentId", w.documents["selfie"].id)
	return nil
}

// oldSession opens a session and waits for the hour after which it expires.
func (w *world) oldSession(ctx context.Context, name string, p *access.TestUser) error {
	err := w.opensSession(ctx, name, "old")
	p.Credentials[oldSession] = w.session("old")
	w.Clock.Advance(time.Hour)
	return err
}

// showKeys creates the credentials of a client, good and bad.
func (w *world) showKeys(ctx context.Context, c *client, p *access.TestUser) error {
	made, err := httpapi.Decode[struct{ KeyID, APIKey string }](w.Send(ctx, administrator, http.MethodPost, "/api-keys",
		map[string]string{"clientId": c.id}))
	if err != nil {
		return err
	}
	key := func(raw string) httpapi.Credential { return httpapi.Header("X-API-Key", raw) }
	session := func(token string) httpapi.Credential { return httpapi.Header("Authorization", "Session "+token) }
	var tokens []string
	for _, by := range []string{c.key, c.key, made.APIKey} {
		opened, err := httpapi.Decode[struct{ Token string }](w.Send(ctx, key(by), http.MethodPost, "/sessions", nil))
		if err != nil {
			return err
		}
		tokens = append(tokens, opened.Token)
	}
	ended := w.Send(ctx, session(tokens[1]), http.MethodDelete, "/sessions/self", nil)
	revoked := w.Send(ctx, administrator, http.MethodDelete, "/api-keys/"+made.KeyID, nil)
	p.Credentials[clientsKey], p.Credentials[revokedKey] = key(c.key), key(made.APIKey)
	p.Credentials[cutShort], p.Credentials[otherSecret] = key(c.key[:len(c.key)-1]), key(withSecret(c.key))
	p.Credentials[unknownKey] = key(withSecret("key_00000000-0000-4000-8000-000000000000.0"))
	p.Credentials[clientsSession], p.Credentials[sessionSecret] = session(tokens[0]), session(withSecret(tokens[0]))
	p.Credentials[endedSession], p.Credentials[revokedSession] = session(tokens[1]), session(tokens[2])
	p.Private = append(p.Private, made.KeyID, made.APIKey)
	p.Private = append(p.Private, tokens...)
	return errors.Join(ended.Succeeded(), revoked.Succeeded())
}

// withSecret returns the credential with a wrong secret.
func withSecret(credential string) string {
	id, _, _ := strings.Cut(credential, ".")
	return id + "." + strings.Repeat("0", 64)
}

// showReviewers creates the credentials of reviewers, good and bad.
func (w *world) showReviewers(p *access.TestUser) error {
	for _, t := range []struct{ kind, subject, role string }{
		{reviewersToken, "rita", "reviewer"}, {withoutRole, "rita", "auditor"}, {withAddress, "rita@example.com", "reviewer"},
	} {
		raw, err := w.issuer.Token(t.subject, time.Hour, t.role)
		if err != nil {
			return fmt.Errorf("%s: %w", t.kind, err)
		}
		p.Credentials[t.kind] = httpapi.Bearer(raw)
	}
	p.Private = slices.Compact(p.Private)
	return p.AddBadTokens(w.issuer, w.Clock.Now, "rita", "reviewer")
}
