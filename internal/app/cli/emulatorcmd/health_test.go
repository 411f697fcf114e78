package emulatorcmd

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

// TestHealth checks the exit statuses that a container's health check needs: 0 only if each server responds with 200.
func TestHealth(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	full := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "unhealthy: the disk is full", http.StatusServiceUnavailable)
	}))
	t.Cleanup(full.Close)
	for _, c := range []struct {
		endpoints string
		status    int
		want      string
	}{
		{e.DynamoDBURL(), 0, e.DynamoDBURL() + " is healthy\n"},
		{e.DynamoDBURL() + "," + full.URL, 1, full.URL + " is not healthy: status 503 unhealthy: the disk is full"},
		{"http://127.0.0.1:1", 1, "http://127.0.0.1:1 does not respond (dial tcp 127.0.0.1:1: "},
		{"127.0.0.1:8000", 2, `--endpoint "127.0.0.1:8000" is not a URL: use one such as http://127.0.0.1:8000`},
	} {
		status, out, errs := run(t, "health", "--endpoint", c.endpoints)
		verdict := map[int]string{0: "PASS  ", 1: "FAIL  "}[c.status]
		if last := out[strings.LastIndex(strings.TrimSpace(out), "\n")+1:]; !strings.HasPrefix(last, verdict) {
			t.Errorf("health --endpoint %s: the last line is %q, want %q", c.endpoints, last, verdict)
		}
		if status != c.status || !strings.Contains(out+errs, c.want) {
			t.Errorf("health --endpoint %s: %d %q %q, want %d and %q", c.endpoints, status, out, errs, c.status, c.want)
		}
	}
}
