package emulator_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

const (
	sessionPath = consolePath + "api/session"
	anasKey     = `{"accessKeyId":"AKIAANAANAANAANAANA1","secretAccessKey":"secret-of-ana"}`
	bobsKey     = `{"accessKeyId":"AKIABOBBOBBOBBOBBOB1","secretAccessKey":"secret-of-bob"}`
)

// signIn signs a user in at a port, and returns the cookie of the session.
func signIn(t *testing.T, e *emulator.Emulator, port, key string) string {
	t.Helper()
	a := browse(t, e, port, "POST", sessionPath, key)
	cookie, attributes, _ := strings.Cut(a.header.Get("Set-Cookie"), ";")
	if a.status != 200 || cookie == "" {
		t.Fatalf("%d %s", a.status, a.body)
	}
	for _, want := range []string{"HttpOnly", "SameSite=Strict", "Path=" + consolePath, "Max-Age=43200"} {
		if !strings.Contains(attributes, want) {
			t.Errorf("the cookie lacks %s: %s", want, attributes)
		}
	}
	if secure := strings.Contains(attributes, "Secure"); secure != strings.HasPrefix(port, "https:") {
		t.Errorf("%s: Secure is %v", port, secure)
	}
	return cookie
}

// TestConsoleSignIn signs a user in and out.
func TestConsoleSignIn(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithIdentitiesFrom(strings.NewReader(people)))
	for _, port := range []string{e.DynamoDBURL(), e.CosmosURL()} {
		sessionIs(t, e, port, "", `"identities":true,"user":""`)
		ana, bob := signIn(t, e, port, anasKey), signIn(t, e, port, bobsKey)
		sessionIs(t, e, port, ana, `"identities":true,"user":"ana"`)
		sessionIs(t, e, port, bob, `"identities":true,"user":"bob"`)
		overview := browse(t, e, port, "GET", consolePath+"api/overview", "", "Cookie", ana).body
		if !strings.Contains(overview, `"accessKeyId":"AKIAANAANAANAANAANA1","secretAccessKey":""`) ||
			!strings.Contains(overview, `"accountId":"123456789012"`) {
			t.Errorf("ana's overview: %s", overview)
		}
		a := browse(t, e, port, "DELETE", sessionPath, "", "Cookie", ana)
		if a.status != 204 || !strings.Contains(a.header.Get("Set-Cookie"), "Max-Age=0") {
			t.Errorf("signing out: %d %s", a.status, a.body)
		}
		sessionIs(t, e, port, ana, `"user":""`)
		sessionIs(t, e, port, bob, `"user":"bob"`)
	}
	unsigned := browse(t, e, e.DynamoDBURL(), "GET", consolePath+"api/overview", "").body
	if !strings.Contains(unsigned, `"accessKeyId":"","secretAccessKey":""`) {
		t.Errorf("the overview without a session: %s", unsigned)
	}
}

// TestSigningInEndsTheSessionOfTheBrowser signs bob in with ana's cookie. With a wrong key, ana's session continues.
func TestSigningInEndsTheSessionOfTheBrowser(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithIdentitiesFrom(strings.NewReader(people)))
	ana := signIn(t, e, e.DynamoDBURL(), anasKey)
	browse(t, e, e.DynamoDBURL(), "POST", sessionPath, strings.Replace(bobsKey, "of-bob", "of-ana", 1), "Cookie", ana)
	sessionIs(t, e, e.DynamoDBURL(), ana, `"user":"ana"`)
	a := browse(t, e, e.DynamoDBURL(), "POST", sessionPath, bobsKey, "Cookie", ana)
	bob, _, _ := strings.Cut(a.header.Get("Set-Cookie"), ";")
	sessionIs(t, e, e.DynamoDBURL(), ana, `"user":""`)
	sessionIs(t, e, e.DynamoDBURL(), bob, `"user":"bob"`)
}

// TestNobodySignsInWithoutIdentities checks that an emulator without identities keeps no key that is sent to it.
func TestNobodySignsInWithoutIdentities(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	a := browse(t, e, e.DynamoDBURL(), "POST", sessionPath, anasKey)
	if a.status != http.StatusConflict || a.header.Get("Set-Cookie") != "" || !strings.Contains(a.body, "--identities") {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
	sessionIs(t, e, e.DynamoDBURL(), "", `"identities":false,"user":""`)
}

func sessionIs(t *testing.T, e *emulator.Emulator, port, cookie, want string) {
	t.Helper()
	a := browse(t, e, port, "GET", sessionPath, "", "Cookie", cookie)
	if a.status != 200 || !strings.Contains(a.body, want) {
		t.Errorf("%s: the session of %q: %d %s, want %s", port, cookie, a.status, a.body, want)
	}
}

// TestConsoleRefusesWrongKeys signs in with keys that are wrong, and with bodies that have none.
func TestConsoleRefusesWrongKeys(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithIdentitiesFrom(strings.NewReader(people)))
	for body, status := range map[string]int{
		strings.Replace(anasKey, "of-ana", "of-bob", 1):     http.StatusUnauthorized,
		strings.Replace(anasKey, "ANA1", "ANA2", 1):         http.StatusUnauthorized,
		`{"accessKeyId":"a/b,c=d\n","secretAccessKey":"x"}`: http.StatusUnauthorized,
		`{}`: http.StatusUnauthorized,
		``:   http.StatusBadRequest,
		`[`:  http.StatusBadRequest,
		`{"accessKeyId":"` + strings.Repeat("A", 5000) + `"}`: http.StatusBadRequest,
	} {
		a := browse(t, e, e.DynamoDBURL(), "POST", sessionPath, body)
		if a.status != status || a.header.Get("Set-Cookie") != "" || !strings.Contains(a.body, `"detail":`) {
			t.Errorf("%.60s: %d %s", body, a.status, a.body)
		}
	}
	if a := browse(t, e, e.DynamoDBURL(), "PUT", sessionPath, "{}"); a.status != 405 ||
		a.header.Get("Allow") != "GET, POST, DELETE" {
		t.Errorf("PUT: %d, %s", a.status, a.header.Get("Allow"))
	}
}

// TestAKeyThatIsDeletedEndsItsSession deletes the access key of a user who has signed in.
func TestAKeyThatIsDeletedEndsItsSession(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithIdentitiesFrom(strings.NewReader(people)))
	made := command(t, e, "POST", "/identities/123456789012/users/ana/keys", "")
	key := strings.NewReplacer(`"id"`, `"accessKeyId"`, `"secret"`, `"secretAccessKey"`).Replace(made.body)
	ana := signIn(t, e, e.DynamoDBURL(), key)
	sessionIs(t, e, e.DynamoDBURL(), ana, `"user":"ana"`)
	_, rest, _ := strings.Cut(made.body, `"id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	if a := command(t, e, "DELETE", "/identities/123456789012/keys/"+id, ""); a.status != 204 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	sessionIs(t, e, e.DynamoDBURL(), ana, `"user":""`)
}
