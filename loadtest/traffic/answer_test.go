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
	} {
		if got := ErrorText(&r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
