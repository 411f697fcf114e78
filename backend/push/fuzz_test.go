package push

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// FuzzAnswers checks that each sender turns any response into a result, and that no error repeats the response.
func FuzzAnswers(f *testing.F) {
	const secret = "ExponentPushToken[secret]"
	for _, seed := range []string{`{"data":[{"status":"ok","id":"1"}]}`,
		`{"data":[{"status":"error","details":{"error":"` + secret + `"}}]}`,
		`{"errors":[{"code":"` + secret + `"}]}`, `{"data":{}}`, `{"name":"x"}`,
		`{"error":{"details":[{"errorCode":"UNREGISTERED"}]}}`,
		`{"error":{"status":"` + secret + `"}}`, `{"reason":"Unregistered","timestamp":-1}`, `{"reason":"` + secret + `"}`,
		`null`, `[`, ``} {
		f.Add(200, seed)
		f.Add(400, seed)
		f.Add(410, seed)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		header := httptest.NewRecorder().Header()
		a := response{status: 200 + (status%400+400)%400, header: header, body: []byte(body)}
		check := func(err error) {
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("the error %q repeats the answer", err)
			}
		}
		_, err := a.fcmResult()
		check(err)
		var outcomes []expoOutcome
		failed := decodeExpo(a, &outcomes)
		check(failed)
		for _, o := range outcomes {
			check(o.err())
		}
		if a.status != http.StatusOK {
			check(a.apnsResult("token").Err)
		}
	})
}
