package store_test

import (
	"bytes"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// tricky generates byte strings with many of the bytes that the encoding treats specially.
var tricky = rapid.SliceOfN(rapid.SampledFrom([]byte{0x00, 0x01, 0x02, 'a', 0xfe, 0xff}), 0, 8)

func TestEscapedKeysKeepOrderAndContent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := tricky.Draw(t, "a"), tricky.Draw(t, "b")
		restA, restB := tricky.Draw(t, "restA"), tricky.Draw(t, "restB")
		keyA := append(store.AppendEscaped(nil, a), restA...)
		keyB := append(store.AppendEscaped(nil, b), restB...)
		want := bytes.Compare(a, b)
		if want == 0 {
			want = bytes.Compare(restA, restB)
		}
		if got := bytes.Compare(keyA, keyB); got != want {
			t.Errorf("%x and %x compare %d, their parts %d", keyA, keyB, got, want)
		}
		part, rest, err := store.DecodeEscaped(keyA)
		if err != nil || !bytes.Equal(part, a) || !bytes.Equal(rest, restA) {
			t.Errorf("DecodeEscaped(%x) = %x, %x, %v, want %x, %x", keyA, part, rest, err, a, restA)
		}
	})
}

func TestMalformedKeysAreRefused(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "a", "a\x00", "a\x00\x02", "\x00\xff", "\x00\xff\x00"} {
		if part, rest, err := store.DecodeEscaped([]byte(key)); err == nil {
			t.Errorf("DecodeEscaped(%q) = %q, %q, want an error", key, part, rest)
		}
	}
	if _, _, err := store.DecodeUint64([]byte("abcdefg")); err == nil {
		t.Error("DecodeUint64 of seven bytes succeeded")
	}
}

func TestNumbersInKeys(t *testing.T) {
	t.Parallel()
	numbers := []uint64{0, 1, 255, 256, math.MaxUint32, math.MaxUint32 + 1, math.MaxUint64}
	var last []byte
	for _, n := range numbers {
		key := store.AppendUint64(nil, n)
		if bytes.Compare(last, key) >= 0 {
			t.Errorf("%x is not after %x", key, last)
		}
		last = key
		if got, rest, err := store.DecodeUint64(append(key, 'x')); got != n || string(rest) != "x" || err != nil {
			t.Errorf("DecodeUint64 = %d, %q, %v, want %d", got, rest, err, n)
		}
	}
}

func TestPrefixEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ prefix, want string }{{"a", "b"}, {"a\xff", "b"}, {"a\xfe\xff", "a\xff"},
		{"\xff\xff", ""}, {"", ""}} {
		if got := store.PrefixEnd([]byte(c.prefix)); string(got) != c.want {
			t.Errorf("PrefixEnd(%q) = %q, want %q", c.prefix, got, c.want)
		}
	}
}
