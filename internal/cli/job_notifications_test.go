package cli

import (
	"net/http"
	"strings"
	"testing"
)

// notified starts an emulator and a backend of notifications with an event in it, and returns the account's address.
func notified(t *testing.T) (account, backend string) {
	t.Helper()
	e := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--cosmos-addr", "", "--cosmos-http-addr", "127.0.0.1:0")
	account = strings.Fields(e.await(t, `Cosmos DB +http://127\.0\.0\.1:[0-9]+`))[2]
	b := start(t, "backend", "--systems", "notification", "--target", "embedded", "--cosmos-endpoint", account, "--backend-addr", "127.0.0.1:0",
		"--admin-token", "admin")
	backend = strings.TrimSuffix(b.await(t, `http://[0-9.:]+/docs`), "/docs")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, backend+"/notification/events",
		strings.NewReader(`{"userId":"ana","eventType":"SECURITY_PASSWORD_CHANGED","dedupeKey":"k"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer admin")
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusCreated {
		t.Fatal(answer, err)
	}
	_ = answer.Body.Close()
	return account, backend
}

// TestJobsOfNotifications run on what a backend made, by either way to find work.
func TestJobsOfNotifications(t *testing.T) {
	t.Parallel()
	account, _ := notified(t)
	for _, step := range []struct{ line, want string }{
		{"notifications --once", "1 claimed  1 completed"},
		{"notifications --once --json", `"claimed": 0`},
		{"notifications --once --feed", "0 claimed"},
		{"cleanup-devices --dry-run", "seen       0"},
		{"cleanup-devices --json", `"deleted": 0`},
	} {
		got := runCommand(t.Context(), map[string]string{"COSMOS_ENDPOINT": account}, append([]string{"job"}, strings.Fields(step.line)...)...)
		if got.status != 0 || !strings.Contains(got.stdout, step.want) {
			t.Errorf("%s: %+v", step.line, got)
		}
	}
	s := start(t, "job", "notifications", "--cosmos-endpoint", account, "--every", "100ms")
	if got := s.stop(t); got.status != 0 || got.stderr != "" {
		t.Errorf("%+v", got)
	}
}

// TestCosmosAccountsAreChecked before anything starts, with the remedy.
func TestCosmosAccountsAreChecked(t *testing.T) {
	t.Parallel()
	for line, says := range map[string]string{
		"job notifications --once":                                                            "no account: give --cosmos-endpoint, such as https://127.0.0.1:8081",
		"job notifications --once --cosmos-endpoint nowhere":                                  `--cosmos-endpoint "nowhere": give an address such as https://127.0.0.1:8081`,
		"job notifications --once --cosmos-endpoint https://a.documents.azure.com":            "the account a.documents.azure.com costs money: agree by --yes-spend",
		"job notifications --once --cosmos-endpoint http://127.0.0.1:1 --cosmos-key !":        "--cosmos-key is not base64: give one of the account's keys",
		"job notifications --every 1ms --cosmos-endpoint http://127.0.0.1:1":                  "--every 1ms: give at least 100ms",
		"job cleanup-devices --keep -1h --cosmos-endpoint http://127.0.0.1:1":                 "--keep -1h0m0s: give a time such as 2160h",
		"backend --target embedded --systems notification":                                    "the backend cannot begin: notification is on Cosmos DB: give its account by --cosmos-endpoint",
		"backend --target embedded --cosmos-endpoint http://127.0.0.1:1 --cosmos-autoscale 5": "--cosmos-autoscale: throughput: autoscale to 5 RU/s: give thousands from 1000 on, such as 4000 or 10000",
		"tables create notification":                                                          `there is no system "notification": give some of devicetoken, kefir, telemetry, verification`,
	} {
		refused(t, runCommand(t.Context(), nil, strings.Fields(line)...), says)
	}
}
