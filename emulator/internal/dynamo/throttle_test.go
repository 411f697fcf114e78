package dynamo_test

import (
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
)

// TestThrottling replays conversations with a service with Throttling, in the form of TestTranscripts. "repeat N" sends
// the request N times and shows the last response.
func TestThrottling(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/throttling", func(t *testing.T, path string) {
		t.Parallel()
		c := newConversationWith(t, dynamo.Config{Throttling: true})
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "advance" {
				c.advance(t, d.Input)
				return ""
			}
			times := 1
			d.MaybeScanArgs(t, "times", &times)
			for range times - 1 {
				c.say(t, d.Cmd, d.Input)
			}
			return c.say(t, d.Cmd, d.Input)
		})
	})
}
