package encryption

import (
	"crypto/cipher"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// newTestSealer returns a sealer with the key of table 1.
func newTestSealer(tb testing.TB) *sealer {
	tb.Helper()
	aead, err := newAEAD(make([]byte, 32))
	if err != nil {
		tb.Fatal(err)
	}
	return &sealer{aeads: map[uint32]cipher.AEAD{1: aead}, tableIDs: map[uint32]uint32{1: 1}}
}

// TestASealedValueCannotBeMoved moves one item's value to another key, as someone with write access to the folder
// might.
func TestASealedValueCannotBeMoved(t *testing.T) {
	t.Parallel()
	s := newTestSealer(t)
	lo, _ := engine.KeySpan(1)
	stored, sealed, err := s.Seal(nil, append(lo, "one"...), []byte("a value"))
	if err != nil || !sealed {
		t.Fatal(err)
	}
	if back, _, err := s.Open(nil, append(lo, "one"...), stored); err != nil || string(back) != "a value" {
		t.Errorf("%q, %v", back, err)
	}
	if _, _, err := s.Open(nil, append(lo, "two"...), stored); err == nil {
		t.Error("the value can be read in another place")
	}
}

// BenchmarkSeal measures the cost of a KMS key for a value of 450 bytes, an item of 400 B, on its way to the disk and
// back.
func BenchmarkSeal(b *testing.B) {
	s := newTestSealer(b)
	lo, _ := engine.KeySpan(1)
	key, value := append(lo, "a key of some bytes"...), make([]byte, 450)
	var sealed, opened []byte
	var err error
	b.ReportAllocs()
	for b.Loop() {
		if sealed, _, err = s.Seal(sealed[:0], key, value); err != nil {
			b.Fatal(err)
		}
		if opened, _, err = s.Open(opened[:0], key, sealed); err != nil {
			b.Fatal(err)
		}
	}
}
