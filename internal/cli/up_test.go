package cli

import (
	"net/http"
	"strings"
	"testing"
)

// TestUpRunsTheWholeDesk holds that everything answers at the address that is printed, and that Ctrl-C ends in a
// reconciliation.
func TestUpRunsTheWholeDesk(t *testing.T) {
	t.Parallel()
	s := start(t, "up", "--dynamodb-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0", "--backend-addr", "127.0.0.1:0", "--devices", "5", "--speed", "3600")
	s.await(t, "Ctrl-C stops everything")
	key := strings.TrimPrefix(s.await(t, "X-API-Key: [0-9a-f]{64}"), "X-API-Key: ")
	devices := s.await(t, `http://[0-9.:]+/telemetry/devices\?limit=2`)
	if status := get(t, devices, key); status != http.StatusOK {
		t.Errorf("GET %s: %d", devices, status)
	}
	if status := get(t, s.await(t, `http://[0-9.:]+/docs`), ""); status != http.StatusOK {
		t.Errorf("the API's page: %d", status)
	}
	got := s.stop(t)
	if got.status != 0 || !strings.Contains(got.stdout, "OK: every reading is there once") {
		t.Errorf("%+v", got)
	}
}

// TestUpWithADurationEndsByItself holds that the desk can be part of a script.
func TestUpWithADurationEndsByItself(t *testing.T) {
	t.Parallel()
	s := start(t, "up", "--dynamodb-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0", "--backend-addr", "127.0.0.1:0",
		"--devices", "3", "--speed", "inf", "--duration", "1h", "--data", t.TempDir())
	if got := s.wait(t); got.status != 0 || !strings.Contains(got.stdout, "0 lost") {
		t.Errorf("%+v", got)
	}
}

func get(t *testing.T, url, key string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-API-Key", key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}
