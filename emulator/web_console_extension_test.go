package emulator_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

// echo is an extension that responds with the method, path, query and body of a request.
var echo = console.Extension{Name: "echo", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, _ = io.WriteString(w, r.Method+" "+r.URL.RequestURI()+" "+string(body))
})}

// TestConsoleExtension sends requests to an extension at each port.
func TestConsoleExtension(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(echo), emulator.WithCosmosHTTPAddr("127.0.0.1:0"))
	for _, port := range consolePorts(e) {
		for path, want := range map[string]string{"echo": "POST / x", "echo/": "POST / x",
			"echo/a/b?c=d": "POST /a/b?c=d x"} {
			if a := browse(t, e, port, "POST", consolePath+"api/"+path, "x"); a.status != 200 || a.body != want {
				t.Errorf("%s: %d %s, want %s", path, a.status, a.body, want)
			}
		}
		if a := browse(t, e, port, "GET", consolePath+"api/echoes", ""); a.status != 404 {
			t.Errorf("%d %s", a.status, a.body)
		}
		extensionsAre(t, e, port, `"extensions":["echo"]`)
		foreign := browse(t, e, port, "POST", consolePath+"api/echo", "x", "Origin", "http://foreign.example",
			"Sec-Fetch-Site", "cross-site")
		if foreign.status != 403 {
			t.Errorf("from a foreign page: %d %s", foreign.status, foreign.body)
		}
	}
}

// TestExtensionsNeedASignedInUser checks that with identities an extension is only for users.
func TestExtensionsNeedASignedInUser(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(echo), emulator.WithIdentitiesFrom(strings.NewReader(people)))
	if a := browse(t, e, e.DynamoDBURL(), "POST", consolePath+"api/echo", ""); a.status != 401 {
		t.Errorf("nobody: %d %s", a.status, a.body)
	}
	ana := signIn(t, e, e.DynamoDBURL(), anasKey)
	if a := browse(t, e, e.DynamoDBURL(), "POST", consolePath+"api/echo", "", "Cookie", ana); a.status != 200 {
		t.Errorf("ana: %d %s", a.status, a.body)
	}
}

// TestConsoleWithoutExtensions checks that the page gets an empty list.
func TestConsoleWithoutExtensions(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	extensionsAre(t, e, e.DynamoDBURL(), `"extensions":[]`)
}

// extensionsAre checks the extensions in the overview.
func extensionsAre(t *testing.T, e *emulator.Emulator, port, want string) {
	t.Helper()
	if a := browse(t, e, port, "GET", consolePath+"api/overview", ""); !strings.Contains(a.body, want) {
		t.Errorf("no %s in %s", want, a.body)
	}
}
