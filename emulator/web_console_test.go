package emulator_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

const consolePath = "/_tabletop/console/"

// browse sends a request to a port of an emulator, as its own page does, with headers given as names and values.
func browse(t testing.TB, e *emulator.Emulator, port, method, path, body string, headers ...string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, strings.TrimSuffix(port, "/")+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html,application/xhtml+xml")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	client, err := e.CosmosHTTPClient()
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(text)}
}

// consolePorts returns the ports of an emulator that serve its console.
func consolePorts(e *emulator.Emulator) []string {
	return []string{e.DynamoDBURL(), e.CosmosURL(), e.CosmosHTTPURL()}
}

// TestBrowsersAreRedirectedToTheConsole opens paths in a browser and with a program, on each port.
func TestBrowsersAreRedirectedToTheConsole(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithCosmosHTTPAddr("127.0.0.1:0"))
	for _, port := range consolePorts(e) {
		for _, path := range []string{"/", "/_tabletop", "/_tabletop/", "/_tabletop/console"} {
			if a := browse(t, e, port, "GET", path, ""); a.status != 302 || a.header.Get("Location") != consolePath {
				t.Errorf("%s%s: %d to %q", port, path, a.status, a.header.Get("Location"))
			}
		}
		if a := browse(t, e, port, "GET", consolePath+"live", ""); a.status != 200 || !strings.Contains(a.body, "Tabletop") {
			t.Errorf("%s: %d %s", port, a.status, a.body)
		}
		if a := browse(t, e, port, "GET", "/_tabletop/clock", ""); a.status != 200 {
			t.Errorf("%s: the admin API returns %d %s", port, a.status, a.body)
		}
		for _, accept := range []string{"", "*/*", "text/html, image/gif, image/jpeg, */*; q=0.2"} { // the last is Java's
			if a := browse(t, e, port, "GET", "/", "", "Accept", accept); a.status == 302 {
				t.Errorf("%s redirects a program that accepts %q", port, accept)
			}
		}
	}
	for _, path := range []string{"/_explorer", "/_explorer/", "/_explorer/index.html"} {
		if a := browse(t, e, e.CosmosURL(), "GET", path, ""); a.status != 302 || a.header.Get("Location") != consolePath {
			t.Errorf("%s: %d to %q", path, a.status, a.header.Get("Location"))
		}
	}
}

// TestPortsWithoutAConsole checks that an emulator without a console answers a browser like a program.
func TestPortsWithoutAConsole(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	if a := browse(t, e, e.DynamoDBURL(), "GET", "/", ""); a.status != 200 || !strings.HasPrefix(a.body, "healthy") {
		t.Errorf("DynamoDB: %d %s", a.status, a.body)
	}
	if a := browse(t, e, e.CosmosURL(), "GET", "/", ""); a.status != 401 {
		t.Errorf("Cosmos DB: %d %s", a.status, a.body)
	}
	if a := browse(t, e, e.DynamoDBURL(), "GET", consolePath, ""); a.status != 404 {
		t.Errorf("the console: %d %s", a.status, a.body)
	}
}

// TestCertificateIsServedAtMicrosoftsPath checks that a client can get the certificate as from Microsoft's emulator.
func TestCertificateIsServedAtMicrosoftsPath(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	want, err := e.CosmosCertificate()
	if err != nil {
		t.Fatal(err)
	}
	a := browse(t, e, e.CosmosURL(), "GET", "/_explorer/emulator.pem", "", "Accept", "*/*")
	if a.status != 200 || a.body != string(want) {
		t.Errorf("%d %s", a.status, a.body)
	}
	head := browse(t, e, e.CosmosURL(), "HEAD", "/_explorer/emulator.pem", "", "Accept", "*/*")
	if head.status != 200 || head.header.Get("Content-Type") != a.header.Get("Content-Type") || head.body != "" {
		t.Errorf("HEAD: %d %v %s", head.status, head.header, head.body)
	}
}

// TestConsoleHeaders checks what keeps pages safe.
func TestConsoleHeaders(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithCosmosHTTPAddr("127.0.0.1:0"))
	for _, port := range consolePorts(e) {
		a := browse(t, e, port, "GET", consolePath, "")
		policy := a.header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'; script-src 'self';") ||
			!strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s: %s", port, policy)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"X-Frame-Options": "DENY"} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: %s: %q", port, name, got)
			}
		}
	}
}

// TestConsoleRefusesOtherOrigins sends requests as pages of other origins do, and to ports beyond this machine.
func TestConsoleRefusesOtherOrigins(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithCosmosHTTPAddr("127.0.0.1:0"))
	for _, port := range consolePorts(e) {
		for _, headers := range [][]string{{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"},
			{"Host", "evil.example"}} {
			if a := browse(t, e, port, "GET", consolePath+"api/overview", "", headers...); a.status != 403 {
				t.Errorf("%s %v: %d %s", port, headers, a.status, a.body)
			}
		}
		if a := browse(t, e, port, "POST", consolePath+"api/session", "{}", "Content-Type", "text/plain"); a.status != 415 {
			t.Errorf("%s: %d %s", port, a.status, a.body)
		}
	}
	beyond := emulator.Run(t, console.Option(), emulator.WithCosmosHTTPAddr("0.0.0.0:0"))
	if a := browse(t, beyond, beyond.CosmosHTTPURL(), "GET", consolePath, ""); a.status != 403 ||
		!strings.Contains(a.body, "--admin") {
		t.Errorf("Cosmos DB on all addresses: %d %s", a.status, a.body)
	}
	if a := browse(t, beyond, beyond.DynamoDBURL(), "GET", consolePath, ""); a.status != 200 {
		t.Errorf("DynamoDB on loopback: %d %s", a.status, a.body)
	}
}

// TestConsoleOverview reads what clients need to connect.
func TestConsoleOverview(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithRegions("eu-west-1", "us-east-1"), emulator.WithSeed(7),
		emulator.WithAccountID("123456789012"))
	var got struct {
		DynamoDB struct {
			Endpoint, Region, AccountID, AccessKeyID, SecretAccessKey string
			Regions                                                   []string
		}
		Cosmos struct{ Endpoint, Key, ConnectionString, CertificatePEM, CertificatePath string }
		Seed   int
	}
	a := browse(t, e, e.DynamoDBURL(), "GET", consolePath+"api/overview", "")
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	d, c := got.DynamoDB, got.Cosmos
	if d.Endpoint != e.DynamoDBURL() || d.Region != "us-east-1" || strings.Join(d.Regions, " ") != "us-east-1 eu-west-1" ||
		d.AccountID != "123456789012" || d.AccessKeyID != "tabletop" || d.SecretAccessKey != "tabletop" || got.Seed != 7 {
		t.Errorf("DynamoDB: %+v, seed %d", d, got.Seed)
	}
	if c.Endpoint != e.CosmosURL() || c.Key != emulator.CosmosKey || !strings.Contains(c.ConnectionString, c.Endpoint) ||
		!strings.Contains(c.CertificatePEM, "BEGIN CERTIFICATE") || c.CertificatePath != "/_explorer/emulator.pem" {
		t.Errorf("Cosmos DB: %+v", c)
	}
	off := emulator.Run(t, console.Option(), emulator.WithCosmosAddr(""), emulator.WithCosmosHTTPAddr("127.0.0.1:0"))
	if a := browse(t, off, off.DynamoDBURL(), "GET", consolePath+"api/overview", ""); strings.Contains(a.body, "BEGIN") {
		t.Errorf("a certificate without https: %s", a.body)
	}
}
