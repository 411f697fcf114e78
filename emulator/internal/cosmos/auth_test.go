package cosmos

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/masterkey"
)

// signed returns a request for the account, signed with a key at a time over a resource link.
func signed(key []byte, at time.Time, link string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/dbs/shop", nil)
	date := strings.ToLower(at.UTC().Format(http.TimeFormat))
	r.Header.Set("X-Ms-Date", date)
	payload := "get\ndbs\n" + link + "\n" + date + "\n\n"
	r.Header.Set("Authorization", url.QueryEscape("type=master&ver=1.0&sig="+
		base64.StdEncoding.EncodeToString(masterkey.Sign(key, payload))))
	return r
}

func TestInvalidSignaturesAreRejected(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	now, right := time.Now(), d.Keys[0]
	moved := signed(right, now, "dbs/shop")
	moved.Header.Set("X-Ms-Date", now.Add(time.Minute).UTC().Format(http.TimeFormat))
	undated := signed(right, now, "dbs/shop")
	undated.Header.Del("X-Ms-Date")
	bare := signed(right, now, "dbs/shop")
	bare.Header.Del("Authorization")
	other := signed(right, now, "dbs/shop")
	other.Method = http.MethodDelete
	for name, c := range map[string]struct {
		request *http.Request
		status  int
	}{
		"a right one":          {signed(right, now, "dbs/shop"), http.StatusNotFound},
		"another key":          {signed([]byte("another key"), now, "dbs/shop"), http.StatusUnauthorized},
		"another link":         {signed(right, now, "dbs/other"), http.StatusUnauthorized},
		"another method":       {other, http.StatusUnauthorized},
		"another date":         {moved, http.StatusUnauthorized},
		"no date":              {undated, http.StatusUnauthorized},
		"none":                 {bare, http.StatusUnauthorized},
		"of an hour ago":       {signed(right, now.Add(-time.Hour), "dbs/shop"), http.StatusForbidden},
		"of an hour from now":  {signed(right, now.Add(time.Hour), "dbs/shop"), http.StatusForbidden},
		"of fourteen minutes ": {signed(right, now.Add(-14*time.Minute), "dbs/shop"), http.StatusNotFound},
	} {
		w := httptest.NewRecorder()
		d.ServeHTTP(w, c.request)
		if w.Code != c.status || !strings.Contains(w.Body.String(), `"code":`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), base64.StdEncoding.EncodeToString(right)) {
			t.Errorf("%s: the key is shown", name)
		}
	}
}
