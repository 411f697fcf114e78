package cli

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
)

// startNotificationBackend starts an emulator and a notification backend with one event in it. It returns the URLs of
// the account and of the backend.
func startNotificationBackend(t *testing.T) (account, backend string) {
	t.Helper()
	account = startCosmosAccount(t)
	b := start(t, "backend", "--systems", "notification", "--target", "embedded", "--cosmos-endpoint", account,
		"--backend-addr", "127.0.0.1:0",
		"--admin-token", "admin")
	backend = strings.TrimSuffix(b.await(t, `http://[0-9.:]+/docs`), "/docs")
	ask(t, http.MethodPost, backend+"/notification/events", "admin",
		`{"userId":"ana","eventType":"SECURITY_PASSWORD_CHANGED","dedupeKey":"k"}`, http.StatusCreated)
	return account, backend
}

// TestNotificationJobs runs the jobs on a backend's data, with both ways of finding work.
func TestNotificationJobs(t *testing.T) {
	t.Parallel()
	account, _ := startNotificationBackend(t)
	for _, step := range []struct{ line, want string }{
		{"notifications --once", "1 claimed  1 completed"},
		{"notifications --once --json", `"claimed": 0`},
		{"notifications --once --feed", "0 claimed"},
		{"cleanup-devices --dry-run", "seen       0"},
		{"cleanup-devices --json", `"deleted": 0`},
	} {
		got := runCommand(t.Context(), map[string]string{"AZURE_COSMOS_ENDPOINT": account},
			append([]string{"job"}, strings.Fields(step.line)...)...)
		if got.status != 0 || !strings.Contains(got.stdout, step.want) {
			t.Errorf("%s: %+v", step.line, got)
		}
	}
	s := start(t, "job", "notifications", "--cosmos-endpoint", account, "--every", "100ms")
	if got := s.stop(t); got.status != 0 || got.stderr != "" {
		t.Errorf("%+v", got)
	}
}

// TestStoppedCleanup stops a cleanup of device tokens at its first deletion: the second token stays.
func TestStoppedCleanup(t *testing.T) {
	t.Parallel()
	account, backend := startNotificationBackend(t)
	var issued struct {
		Token string `json:"access_token"`
	}
	if err := json.Unmarshal(ask(t, http.MethodPost, backend+"/auth/token", "", `{"subject":"ana"}`, http.StatusOK),
		&issued); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"one", "two"} {
		ask(t, http.MethodPost, backend+"/notification/devices", issued.Token,
			`{"deviceId":"`+id+`","pushToken":"token","platform":"fcm","label":"Pixel"}`, http.StatusCreated)
		ask(t, http.MethodDelete, backend+"/notification/devices/"+id, issued.Token, "", http.StatusNoContent)
	}
	at, err := url.Parse(account)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	proxy := httputil.NewSingleHostReverseProxy(at)
	proxy.ErrorLog = log.New(io.Discard, "", 0) // the stopped command disconnects
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			stop()
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	got := runCommand(ctx, nil, "job", "cleanup-devices", "--keep", "0", "--cosmos-endpoint", server.URL)
	if got.status != 130 || strings.Contains(got.stdout, "deleted    2") {
		t.Errorf("%+v", got)
	}
}

// startCosmosAccount returns the URL of an empty Cosmos DB account.
func startCosmosAccount(t *testing.T) string {
	t.Helper()
	e := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--cosmos-addr", "", "--cosmos-http-addr", "127.0.0.1:0")
	return strings.Fields(e.await(t, `Cosmos DB +http://127\.0\.0\.1:[0-9]+`))[2]
}

// TestInvalidCosmosAccountsAreRefused checks that a wrong account is refused before anything starts, with the remedy.
func TestInvalidCosmosAccountsAreRefused(t *testing.T) {
	t.Parallel()
	account := startCosmosAccount(t)
	for line, says := range map[string]string{
		"job notifications --once":                                                            "no Cosmos DB account: set --cosmos-endpoint, such as https://127.0.0.1:8081",
		"job notifications --once --cosmos-endpoint nowhere":                                  `--cosmos-endpoint "nowhere" is not a URL: use one such as https://127.0.0.1:8081`,
		"job notifications --once --cosmos-endpoint https://a.documents.azure.com":            "the account a.documents.azure.com may cost money: confirm with --yes-spend",
		"job notifications --once --cosmos-endpoint http://127.0.0.1:1 --cosmos-key !":        "--cosmos-key is not base64: use a key of the account",
		"job notifications --every 1ms --cosmos-endpoint http://127.0.0.1:1":                  "--every 1ms is too short: use 100ms or more",
		"job cleanup-devices --keep -1h --cosmos-endpoint http://127.0.0.1:1":                 "--keep -1h0m0s is negative: use a duration such as 2160h",
		"backend --target embedded --systems notification":                                    "cannot start the backend: notification needs Cosmos DB: set --cosmos-endpoint",
		"backend --target embedded --cosmos-endpoint http://127.0.0.1:1 --cosmos-autoscale 5": "--cosmos-autoscale: throughput: autoscale to 5 RU/s: use a multiple of 1000, such as 4000 or 10000",
		"job notifications --once --cosmos-endpoint https://127.0.0.1:1":                      "cannot reach Cosmos DB at https://127.0.0.1:1: start it with tabletop emulator, or correct --cosmos-endpoint",
		"job notifications --once --cosmos-endpoint " + account + " --cosmos-key a2V5": account +
			" rejected the account key: set --cosmos-key to a key of the account",
		"backend --systems notification --cosmos-endpoint " + account + " --cosmos-key a2V5": account +
			" rejected the account key: set --cosmos-key to a key of the account",
		"job notifications --once --clock http://127.0.0.1:1 --cosmos-endpoint " +
			account: `--clock: cannot read the clock of an emulator at "http://127.0.0.1:1": start the emulator, or use the URL of its DynamoDB, such as http://127.0.0.1:8000`,
		"tables create notification": "notification uses Cosmos DB and has no tables: tabletop backend --cosmos-endpoint creates its containers",
	} {
		wantRefusal(t, runCommand(t.Context(), nil, strings.Fields(line)...), says)
	}
}
