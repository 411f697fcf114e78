package item

import (
	"bytes"
	"slices"
	"testing"
)

// TestHashOrder checks numbers in the order in which the service scans them. (Recorded in dynalite, from 2013.)
func TestHashOrder(t *testing.T) {
	t.Parallel()
	order := []string{"7", "999.9", "8", "3", "2", "-999.9", "9", "4", "-0.09", "6", "1", "0", "0.012345", "5"}
	sorted := slices.SortedFunc(slices.Values(order), func(a, b string) int {
		x, y := Hash(number(t, a)), Hash(number(t, b))
		return bytes.Compare(x[:], y[:])
	})
	if !slices.Equal(sorted, order) {
		t.Errorf("by hash: %v", sorted)
	}
}

// TestHashSegments checks keys with known segments out of 4,096, which are the first 12 bits of their hashes. (Recorded
// in dynalite, from 2013.)
func TestHashSegments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key     Value
		segment int
	}{
		{NewString("3635"), 0}, {NewString("228"), 0}, {NewString("1668"), 1}, {NewString("3435"), 4},
		{number(t, "251"), 1}, {number(t, "2388"), 4095},
	} {
		if h := Hash(c.key); int(h[0])<<4|int(h[1])>>4 != c.segment {
			t.Errorf("%s: %x is not in segment %d", c.key.Bytes(), h, c.segment)
		}
	}
}

func number(t *testing.T, text string) Value {
	t.Helper()
	v, err := NewNumber(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
