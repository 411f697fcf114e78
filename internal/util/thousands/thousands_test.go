package thousands_test

import (
	"testing"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

func TestGroup(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -999: "-999", -123456: "-123,456",
		1234567: "1,234,567"} {
		if got := thousands.Group(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
