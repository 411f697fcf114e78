package wire

import "testing"

// TestDates holds that a date is parsed as if it were the only one, whatever was parsed before it.
func TestDates(t *testing.T) {
	t.Parallel()
	const first, second = "Mon, 02 Jan 2006 15:04:05 GMT", "mon, 02 jan 2006 15:04:06 utc"
	var dates Dates
	for _, text := range []string{first, first, second, "yesterday", second, "", first} {
		got, err := dates.Parse(text)
		want, wantErr := ParseDate(text)
		if !got.Equal(want) || (err == nil) != (wantErr == nil) {
			t.Errorf("%q: %v, %v; want %v, %v", text, got, err, want, wantErr)
		}
	}
}
