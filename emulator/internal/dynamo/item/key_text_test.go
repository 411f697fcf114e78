package item

import "testing"

// TestKeyTextRoundTrip checks that a key shows its value and where it ends, whatever follows it.
func TestKeyTextRoundTrip(t *testing.T) {
	t.Parallel()
	number := func(text string) Value {
		v, err := NewNumber(text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct {
		value Value
		want  string
	}{
		{NewString("user#7"), "user#7"},
		{NewString("a\x00b\x00"), "a\x00b\x00"},
		{NewString(""), ""},
		{NewBinary([]byte{0, 1, 0, 255}), "AAEA/w=="},
		{number("0"), "0"},
		{number("42.5"), "42.5"},
		{number("-1200"), "-1200"},
		{number("0.00031"), "0.00031"},
		{number("-0.5"), "-0.5"},
		{number("7"), "7"},
	} {
		key := AppendKey(nil, c.value)
		if got := KeyText(key, c.value.Type()); got != c.want {
			t.Errorf("%q is read as %q", c.want, got)
		}
		if got := KeyLen(append(key, "\x00\x01more"...), c.value.Type()); got != len(key) {
			t.Errorf("%q ends at %d, not %d", c.want, got, len(key))
		}
	}
}

// FuzzKeyText checks that any bytes can be shown.
func FuzzKeyText(f *testing.F) {
	f.Add([]byte{0x41, 0x80, 0x08, 0x00})
	f.Add([]byte("a\x00\xffb\x00\x01"))
	f.Fuzz(func(t *testing.T, key []byte) {
		for _, kind := range []Type{String, Number, Binary} {
			if n := KeyLen(key, kind); n < 0 || n > len(key) {
				t.Fatalf("%x ends at %d", key, n)
			}
			KeyText(key, kind)
		}
	})
}
