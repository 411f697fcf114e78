package traffic

import (
	"testing"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

func TestErrorText(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]vegeta.Result{
		"500 Internal Server Error": {Code: 500, Error: "500 Internal Server Error", Body: []byte("oops")},
		"connection refused":        {Error: `Get "http://127.0.0.1:1/x": connection refused`},
		"read tcp 127.0.0.1:8080: read: connection reset by peer": {
			Error: `Post "http://127.0.0.1:8080/x": read tcp 127.0.0.1:40132->127.0.0.1:8080: read: connection reset by peer`},
		"write tcp [::1]:8080: write: broken pipe": {Error: "write tcp [::1]:40132->[::1]:8080: write: broken pipe"},
	} {
		if got := ErrorText(&r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
