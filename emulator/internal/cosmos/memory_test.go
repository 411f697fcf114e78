package cosmos

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// TestParsedBodiesReserveTheirMemory compares what a request reserves for a parsed body with the size of its values.
func TestParsedBodiesReserveTheirMemory(t *testing.T) {
	t.Parallel()
	const n, valueBytes = 10_000, 80
	for part, least := range map[string]int64{"1,": valueBytes, "[],": valueBytes, `{"a":1},`: 2*valueBytes + 16,
		"[[1]],": 3 * valueBytes, `"a",`: valueBytes} {
		body := []byte("[" + strings.Repeat(part, n) + "1]")
		if _, err := doc.Parse(body); err != nil {
			t.Fatal(err)
		}
		if got := parsedBytes(body); got < n*least || got > 3*n*least {
			t.Errorf("%s: %d bytes for %d values of %d", part, got, n, least)
		}
	}
	if body := []byte(`{"id":"` + strings.Repeat("x", 1<<20) + `"}`); parsedBytes(body) > 2<<20 {
		t.Errorf("%d bytes for a string of 1 MB", parsedBytes(body))
	}
}
