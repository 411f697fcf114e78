package thousands_test

import (
	"math"
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

func TestDecimal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"0": "0", "-1449.2575": "-1,449.2575", "1234567": "1,234,567",
		"0.0012": "0.0012"} {
		if got := thousands.Decimal(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestSignificant(t *testing.T) {
	t.Parallel()
	for n, want := range map[float64]string{0: "0", 0.0000123456: "0.0000123", 0.5: "0.5", 99.99: "100", 12.345: "12.3",
		-1234567.8: "-1,234,568", 1e21: "1,000,000,000,000,000,000,000", math.Inf(1): "+Inf"} {
		if got := thousands.Significant(n, 3); got != want {
			t.Errorf("%g: %s, want %s", n, got, want)
		}
	}
}

func TestSprintf(t *testing.T) {
	t.Parallel()
	got := thousands.Sprintf("%d of %6d|%-6d|%6s %.1f|%8.0f|%.0f seed %v %d %x", 1449, int64(1348), uint64(7), "text", -1234.56, 9999.6, math.Inf(1), 65536,
		int32(1000), 255)
	if want := "1,449 of  1,348|7     |  text -1,234.6|  10,000|+Inf seed 65536 1000 ff"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
