package notification

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// FuzzRequests checks that no body, path or cursor causes a 5xx, or reaches the database as part of a query's text.
func FuzzRequests(f *testing.F) {
	f.Add("POST", "/events", `{"userId":"ana","eventType":"POST_LIKE","payload":{"targetId":"p","targetType":"post"}}`)
	f.Add("POST", "/events",
		`{"userId":"ana","eventType":"NEWS_SYSTEM_UPDATE","payload":{"targetId":{"a":[1e999]}},"dedupeKey":"' OR 1=1"}`)
	f.Add("PUT", "/preferences", `{"timezone":"Europe/Berlin","quietHours":[true],"categories":{"social":null}}`)
	f.Add("POST", "/devices", `{"deviceId":"d","pushToken":"t","platform":"apns","label":"`+strings.Repeat("x", 200)+`"}`)
	f.Add("PUT", "/devices/"+url.PathEscape("a'b"), `{"pushToken":"t"}`)
	f.Add("GET", "/notifications?cursor="+
		base64.RawURLEncoding.EncodeToString([]byte(`{"user":"ana","category":"","token":"x"}`)), "")
	f.Add("DELETE", "/users/ana%2Fbob", "")
	w := newWorld(f)
	ana := w.token("ana")
	f.Fuzz(func(t *testing.T, method, path, body string) {
		request, err := http.NewRequest(method, w.server.URL+"/notification/"+strings.TrimLeft(path, "/"),
			strings.NewReader(body))
		if err != nil {
			return
		}
		token := adminToken
		if !strings.HasPrefix(path, "/events") && !strings.HasPrefix(path, "/users") {
			token = ana
		}
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Content-Type", "application/json")
		response, err := w.server.Client().Do(request)
		if err != nil {
			return // not a request that can be sent
		}
		_ = response.Body.Close()
		if response.StatusCode >= 500 {
			t.Errorf("%s %q %q: %d\n%s", method, path, body, response.StatusCode, w.log)
		}
		for _, q := range w.transport.recorded() {
			if !strings.Contains(q.body, `"query":"SELECT `) || strings.Contains(fmt.Sprint(q), "OR 1=1") &&
				!strings.Contains(q.body, `"parameters"`) {
				t.Errorf("%s went over the wire", q.body)
			}
		}
		w.transport.setFault(nil)
	})
}
