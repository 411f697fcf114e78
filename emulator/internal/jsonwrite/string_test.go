package jsonwrite_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// TestAppendString holds that every text is read back as it was, wherever in it something has to be escaped.
func TestAppendString(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"a", "temperature", "12345678", `"`, `\`, "\x00", "\n", "\r", "\t", "\x1f", " ",
		"!", "#", "[", "]", "\x7f", "é", "\U0001F600"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
		written := jsonwrite.AppendString([]byte("before "), text)
		if same := jsonwrite.AppendString([]byte("before "), []byte(text)); string(same) != string(written) {
			t.Fatalf("%q as bytes: %s", text, same)
		}
		var read string
		if err := json.Unmarshal(written[len("before "):], &read); err != nil || read != text {
			t.Fatalf("%q: %s, %v", text, written, err)
		}
	})
}
