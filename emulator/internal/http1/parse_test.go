package http1

import (
	"bytes"
	"testing"
)

// TestIsValue holds that each byte of a value counts, wherever it is.
func TestIsValue(t *testing.T) {
	t.Parallel()
	for _, length := range []int{1, 7, 8, 9, 16, 20} {
		for at := range length {
			for b := range 256 {
				for _, fill := range []byte{'a', ' ', 0x80, 0xff, 0x7e, '!'} {
					value := bytes.Repeat([]byte{fill}, length)
					value[at] = byte(b)
					if want := (b >= ' ' || b == '\t') && b != 0x7f; isValue(value) != want {
						t.Fatalf("%q: %v", value, !want)
					}
				}
			}
		}
	}
}
