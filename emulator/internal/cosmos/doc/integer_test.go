package doc

import "testing"

// TestIntegersStayExact checks that numbers are returned as the service returns them (recordings of a live account,
// October 2026).
func TestIntegersStayExact(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"9007199254740992": "9007199254740992", "9007199254740993": "9007199254740993",
		"-9223372036854775808": "-9223372036854775808",
		"9223372036854775807":  "9223372036854775807", "18446744073709551615": "18446744073709551615",
		"18446744073709551616": "18446744073709552000", "1.0": "1", "-0.0": "0", "1e-400": "0",
		"0.1000000000000000055511151231257827": "0.1",
	} {
		v, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(text, err)
		}
		if got := v.JSON(); got != want {
			t.Errorf("%s becomes %s, not %s", text, got, want)
		}
		if v.Str() != "" {
			t.Errorf("%s is a string too: %q", text, v.Str())
		}
		back, err := ParseBinary(AppendBinary(nil, v))
		if err != nil || !Equal(v, back) {
			t.Errorf("%s becomes %s in binary form: %v", text, back.JSON(), err)
		}
	}
	for _, text := range []string{"9007199254740993", "-9007199254740993"} {
		v, _ := Parse([]byte(text))
		if back, _ := ParseBinary(AppendBinary(nil, v)); back.JSON() != text {
			t.Errorf("%s becomes %s in binary form", text, back.JSON())
		}
	}
	if _, err := Parse([]byte("1e400")); err == nil {
		t.Error("1e400 is a number")
	}
}
