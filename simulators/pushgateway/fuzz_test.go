package pushgateway_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

// fuzz checks that the response to any body is JSON with a documented status, and that a refused message is not
// delivered.
func fuzz(f *testing.F, path, allowed string, header ...string) {
	f.Fuzz(func(t *testing.T, body string) {
		g := pushgateway.New(pushgateway.Config{})
		status, text, _ := strings.Cut(do(g, "POST", path, body, header...), " ")
		if !strings.Contains(allowed, status) || text != "" && !json.Valid([]byte(text)) {
			t.Errorf("%s %s", status, text)
		}
		if n := len(g.Deliveries(0, 0)); n != 0 {
			t.Errorf("%d notifications arrived where there is no phone", n)
		}
	})
}

func FuzzExpo(f *testing.F) {
	for _, seed := range []string{`{"to":"ExponentPushToken[x]"}`, `[{"to":["ExponentPushToken[x]"],"data":{}}]`, `[1]`,
		`{"to":null}`, `[{"data":`, ``} {
		f.Add(seed)
	}
	fuzz(f, expoPath, "200 400")
}

func FuzzReceipts(f *testing.F) {
	for _, seed := range []string{`{"ids":["x"]}`, `{"ids":[1]}`, `[]`, ``} {
		f.Add(seed)
	}
	fuzz(f, "/--/api/v2/push/getReceipts", "200 400")
}

func FuzzFCM(f *testing.F) {
	for _, seed := range []string{`{"message":{"token":"x","data":{"a":"b"},"notification":{"title":"t"}}}`,
		`{"message":null}`, `{"message":{"data":null}}`,
		`{"validate_only":1}`, `[]`, `null`, ``} {
		f.Add(seed)
	}
	fuzz(f, fcmPath, "200 400 404", "Authorization", "Bearer oauth")
}

// FuzzProviderToken checks that no such token is accepted: none is signed by a known key.
func FuzzProviderToken(f *testing.F) {
	f.Add("eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQzEyM0RFRkcifQ.eyJpc3MiOiJERUYxMjNHSElKIiwiaWF0IjoxfQ.c2ln", `{"aps":{}}`)
	f.Fuzz(func(t *testing.T, token, body string) {
		g := pushgateway.New(pushgateway.Config{})
		got := do(g, "POST", "/3/device/"+strings.Repeat("0f", 32), body, "Authorization", "bearer "+token, "apns-topic",
			"com.example.app")
		if status, text, _ := strings.Cut(got, " "); !strings.Contains("400 403 413", status) || !json.Valid([]byte(text)) {
			t.Error(got)
		}
	})
}
