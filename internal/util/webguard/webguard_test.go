package webguard

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestForeignHostsAndOriginsAreRefused(t *testing.T) {
	t.Parallel()
	g := Guard{TrustedHosts: []string{"desk.example", "Cosmos.Dev"}, CloudDomains: []string{"amazonaws.com"}}
	for _, c := range []struct {
		host, origin string
		passes       bool
	}{
		{"127.0.0.1:8000", "", true}, {"localhost:8000", "", true}, {"LOCALHOST", "", true}, {"[::1]:8000", "", true},
		{"", "", true},
		{"192.168.1.7:8081", "", true}, {"203.0.113.9", "", true}, {"cosmos:8081", "", true}, {"cosmos", "", true},
		{"host.docker.internal:8081", "", true}, {"dynamo.shop.svc.cluster.local", "", true},
		{"dynamo.shop.svc:8000", "", true},
		{"desk.example:8000", "", true}, {"DESK.EXAMPLE.:8000", "", true}, {"cosmos.dev", "", true},
		{"app.localhost:8000", "", true},
		{"dynamodb.us-east-1.amazonaws.com", "", true},

		{"evil.example", "", false}, {"evil.example:8081", "", false}, {"evil.example.:8081", "", false},
		{"127.0.0.1.evil.example:8081", "", false}, {"localhost.evil.example", "", false}, {"xlocal.com", "", false},
		{"sub.desk.example", "", false}, {"amazonaws.com", "", false}, {"amazonaws.com.evil.example", "", false},
		{"evilamazonaws.com", "", false}, {"127.0.0.1:8000.evil.example", "", true}, // no name, and no browser sends it

		{"127.0.0.1:8000", "http://localhost:3000", true}, {"127.0.0.1:8000", "http://127.0.0.1:8000", true},
		{"127.0.0.1:8000", "http://app:3000", true}, {"127.0.0.1:8000", "http://192.168.1.7:3000", true},
		{"203.0.113.9:8000", "http://203.0.113.9:8000", true}, {"127.0.0.1:8000", "https://desk.example", true},
		{"127.0.0.1:8000", "chrome-extension://abcdef", true}, {"127.0.0.1:8000", "http://[::1]:3000", true},

		{"127.0.0.1:8000", "https://evil.example", false}, {"127.0.0.1:8000", "null", false}, {"127.0.0.1:8000", "", true},
		{"127.0.0.1:8000", "http://203.0.113.9", false}, {"127.0.0.1:8000", "https://bucket.s3.amazonaws.com", false},
		{"127.0.0.1:8000", "http://localhost.evil.example", false}, {"127.0.0.1:8000", "http://evil.example:8000", false},
		{"127.0.0.1:8000", "http://", false}, {"127.0.0.1:8000", "http://127.0.0.1@evil.example", false},
		{"127.0.0.1:8000", "://", false},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Host = c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		w := httptest.NewRecorder()
		g.Wrap(http.NotFoundHandler(), func(w http.ResponseWriter, _ *http.Request, reason string) {
			if !strings.Contains(reason, "--trusted-host") {
				t.Errorf("no remedy: %s", reason)
			}
			w.WriteHeader(http.StatusForbidden)
		}).ServeHTTP(w, r)
		if passed := w.Code == http.StatusNotFound; passed != c.passes {
			t.Errorf("Host %q, Origin %q: passed %v", c.host, c.origin, passed)
		}
	}
}

func TestAnyForeignOriginIsRefused(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Host = "localhost"
	r.Header["Origin"] = []string{"http://localhost", "https://evil.example"}
	if (Guard{}).Refusal(r) == "" {
		t.Error("passed")
	}
}

func BenchmarkRefusal(b *testing.B) {
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Host = "127.0.0.1:8000"
	for b.Loop() {
		if (Guard{}).Refusal(r) != "" {
			b.Fatal("refused")
		}
	}
}
