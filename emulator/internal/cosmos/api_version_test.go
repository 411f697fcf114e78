package cosmos

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestUnsupportedAPIVersionsAreRejected checks that a version is any past date, as SDKs send them, and that no version
// means the latest.
func TestUnsupportedAPIVersionsAreRejected(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	for version, status := range map[string]int{
		"": http.StatusNotFound, "2015-12-16": http.StatusNotFound, "2018-12-31": http.StatusNotFound,
		"2020-07-15": http.StatusNotFound,
		"2014-08-21": http.StatusBadRequest, "2999-12-31": http.StatusBadRequest, "latest": http.StatusBadRequest,
		"2018-13-31": http.StatusBadRequest,
	} {
		r := signed(d.Keys[0], time.Now(), "dbs/shop")
		if version != "" {
			r.Header.Set("X-Ms-Version", version)
		}
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		if w.Code != status || status == http.StatusBadRequest && !strings.Contains(w.Body.String(), "Invalid API version.") {
			t.Errorf("%q: %d %s", version, w.Code, w.Body)
		}
	}
}
