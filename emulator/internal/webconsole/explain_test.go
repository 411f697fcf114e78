package webconsole

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/model/iam"
	"github.com/tabletop-db/tabletop/internal/model/identities"
)

// people are a user who may do nothing, one who may ask about the first, and a role.
const people = `
users:
  ana: {keys: [{id: AKIAI44QH8DHBEXAMPLE, secret: je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY}]}
  eve:
    keys: [{id: AKIAIOSFODNN7EXAMPLE, secret: wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY}]
    inline:
      Ask:
        Version: "2012-10-17"
        Statement: {Effect: Allow, Action: "iam:SimulatePrincipalPolicy", Resource: "arn:aws:iam::000000000000:user/ana"}
roles:
  reader:
    trust: {Version: "2012-10-17", Statement: {Effect: Allow, Principal: {AWS: "*"}, Action: "sts:AssumeRole"}}
`

// consoleOf returns a console with identities, where the table orders has a policy.
func consoleOf(t *testing.T) *console {
	t.Helper()
	directory, err := identities.Parse("people", []byte(people))
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	service, err := identity.New(identity.Config{Store: s, Clock: clock.Manual(time.Now()), File: directory})
	if err != nil {
		t.Fatal(err)
	}
	policy, err := iam.Parse(iam.Resource, "resource policy", []byte(`{"Version":"2012-10-17","Statement":{"Effect":"Allow",
		"Principal":{"AWS":"arn:aws:iam::000000000000:user/ana"},"Action":"dynamodb:GetItem","Resource":"*"}}`))
	if err != nil {
		t.Fatal(err)
	}
	return &console{Emulator: control.Emulator{Identities: service, ResourcePolicy: func(arn string) *iam.Policy {
		if strings.HasSuffix(arn, ":table/orders") {
			return policy
		}
		return nil
	}}, sessions: sessions{now: time.Now}}
}

// TestWhoMayAsk asks about the access of oneself and of others, as several users.
func TestWhoMayAsk(t *testing.T) {
	t.Parallel()
	c := consoleOf(t)
	ana := c.sessions.begin(identity.Key{ID: "AKIAI44QH8DHBEXAMPLE", Secret: "je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY"})
	eve := c.sessions.begin(identity.Key{ID: "AKIAIOSFODNN7EXAMPLE", Secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"})
	gone := c.sessions.begin(identity.Key{ID: "AKIAIOSFODNN7EXAMPL0", Secret: "x"})
	question := func(who, table string) string {
		return `{"principal":"` + who + `","action":"dynamodb:GetItem","resource":"arn:aws:dynamodb:us-east-1:000000000000:table/` +
			table + `"}`
	}
	const iamARN = "arn:aws:iam::000000000000:"
	for _, one := range []struct {
		method, path, session, body string
		status                      int
		want                        string
	}{
		{"POST", "access/explain", ana, question("", "orders"), 200, `"allowed":true,"summary":"allowed by resource policy`},
		{"POST", "access/explain", ana, question("", "stock"), 200, `"summary":"denied: no identity-based policy allows it"`},
		{"POST", "access/explain", ana, question(iamARN+"user/eve", "orders"), 403, "iam:SimulatePrincipalPolicy"},
		{"POST", "access/explain", eve, question(iamARN+"user/ana", "orders"), 200, `"decides":true`},
		{"POST", "access/explain", eve, question(iamARN+"role/reader", "orders"), 403, "your own access"},
		{"POST", "access/explain", ana, `{"action":"dynamodb:GetItem"}`, 400, "the body must be"},
		{"POST", "access/explain", "", question("", "orders"), 401, "nobody has signed in"},
		{"POST", "access/explain", gone, question("", "orders"), 401, "nobody has signed in"},
		{"GET", "access/explain", ana, "", 405, "use POST"},
		{"POST", "access", ana, "{}", 405, "use GET"},
		{"GET", "access/other", ana, "", 404, "access/other"},
		{"GET", "access", ana, "", 200, `[{"arn":"arn:aws:iam::000000000000:user/ana","name":"ana","kind":"users","policies":[]}]`},
		{"GET", "access", eve, "", 200, `"policies":[]},{"arn":"arn:aws:iam::000000000000:user/eve"`},
	} {
		r := httptest.NewRequest(one.method, "http://127.0.0.1:8000"+apiPath+one.path, strings.NewReader(one.body))
		r.AddCookie(&http.Cookie{Name: cookieName(r), Value: one.session})
		w := httptest.NewRecorder()
		c.serve(w, r)
		if w.Code != one.status || !strings.Contains(w.Body.String(), one.want) {
			t.Errorf("%s %s %s: %d %s, want %d %s", one.method, one.path, one.body, w.Code, w.Body, one.status, one.want)
		}
	}
}

// TestNobodyIsDenied asks without identities.
func TestNobodyIsDenied(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	pages(nil, nil).serve(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8000"+apiPath+"access", nil))
	if w.Code != 409 || !strings.Contains(w.Body.String(), "there are no identities") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
