package emulator_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// visit sends a request as a browser may: to an address, with a host of the page's choice, from an origin.
func visit(t *testing.T, url, host, origin string, header ...string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Host = host; origin != "" {
		r.Header.Set("Origin", origin)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// A web page that the user visits can make the browser send requests to this machine, by its address or by a name that
// the page resolves to it: no service accepts them. Programs, containers and pages of this machine are accepted.
func TestPagesOfOtherOriginsAreRefused(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, emulator.WithCosmosHTTPAddr("127.0.0.1:0"), emulator.WithTrustedHosts("tables.example"))
	services := []struct{ name, url, kind, target string }{
		{"DynamoDB", e.DynamoDBURL(), "application/x-amz-json-1.0", "DynamoDB_20120810.ListTables"},
		{"KMS", e.DynamoDBURL(), "application/x-amz-json-1.1", "TrentService.ListKeys"},
		{"CloudWatch", e.DynamoDBURL(), "application/x-www-form-urlencoded", ""},
		{"Cosmos DB", e.CosmosHTTPURL(), "application/json", ""},
	}
	for _, s := range services {
		for _, c := range []struct {
			host, origin string
			refused      bool
		}{
			{"", "", false}, {"cosmos:8081", "", false}, {"tables.example", "https://tables.example", false},
			{"", "http://localhost:3000", false},
			{"dynamodb.us-east-1.amazonaws.com", "", false}, {"account.documents.azure.com", "", false},
			{"rebound.example", "", true}, {"rebound.example:8081", "http://rebound.example:8081", true},
			{"", "https://evil.example", true}, {"", "null", true},
		} {
			status, body := visit(t, s.url, c.host, c.origin, "Content-Type", s.kind, "X-Amz-Target", s.target)
			if refused := status == http.StatusForbidden && strings.Contains(body, "--trusted-host"); refused != c.refused {
				t.Errorf("%s by %q from %q: %d %s", s.name, c.host, c.origin, status, body)
			}
		}
	}
	if _, body := visit(t, e.DynamoDBURL(), "rebound.example", "", "X-Amz-Target",
		"DynamoDB_20120810.ListTables"); !strings.Contains(body, `#AccessDeniedException"`) {
		t.Error("not in DynamoDB's form:", body)
	}
	if _, body := visit(t, e.DynamoDBURL(), "rebound.example", "", "Content-Type",
		"application/x-www-form-urlencoded"); !strings.Contains(body, "<Code>AccessDenied</Code>") {
		t.Error("not in the query protocol's form:", body)
	}
	if _, body := visit(t, e.CosmosHTTPURL(), "rebound.example", ""); !strings.Contains(body, `"code":"Forbidden"`) {
		t.Error("not in Cosmos DB's form:", body)
	}
}
