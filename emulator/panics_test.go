package emulator

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// TestPanicsAreAnsweredAsTheServiceDoes makes a handler panic outside of any operation, for requests to each service.
func TestPanicsAreAnsweredAsTheServiceDoes(t *testing.T) {
	t.Parallel()
	broken := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("broken") })
	ports := map[string]http.Handler{"aws": &front{dynamo: broken, kms: broken, sts: broken, cloudwatch: broken,
		console: control.Console{Admin: broken, Metrics: broken, Web: broken}}, "cosmos": broken}
	for _, c := range []struct{ port, method, path, header, value, kind, want string }{
		{"aws", "POST", "/", "X-Amz-Target", "DynamoDB_20120810.GetItem", "application/x-amz-json-1.0",
			"InternalServerError"},
		{"aws", "POST", "/", "X-Amz-Target", "TrentService.Encrypt", "application/x-amz-json-1.1", "KMSInternalException"},
		{"aws", "POST", "/", "Content-Type", "application/x-www-form-urlencoded", "text/xml", "InternalFailure"},
		{"aws", "GET", "/_tabletop/info", "", "", "application/problem+json", "Internal Server Error"},
		{"cosmos", "GET", "/dbs", "", "", "application/json", "InternalServerError"},
		{"cosmos", "GET", "/_tabletop/info", "", "", "application/problem+json", "Internal Server Error"},
	} {
		var log bytes.Buffer
		memory := inflight.New(inflight.Limits{})
		h := memory.Wrap(ports[c.port], panicAnswers(ports[c.port], slog.New(slog.NewTextHandler(&log, nil))))
		r := httptest.NewRequest(c.method, c.path, strings.NewReader("Version=2011-06-15"))
		if c.header != "" {
			r.Header.Set(c.header, c.value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		resp := w.Result()
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusInternalServerError || resp.Header.Get("Content-Type") != c.kind ||
			!strings.Contains(string(body), c.want) {
			t.Errorf("%s %s: %d %s %s", c.path, c.value, resp.StatusCode, resp.Header.Get("Content-Type"), body)
		}
		if !strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "broken") {
			t.Errorf("the log says %q", log.String())
		}
		if memory.Pool().Used() != 0 {
			t.Errorf("%d bytes are held", memory.Pool().Used())
		}
	}
}
