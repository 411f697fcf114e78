package dynamo_test

import (
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
)

// TestThrottling holds conversations with a service that holds its users to their capacity, in the form of
// TestTranscripts. "repeat N" asks the same N times, and answers with the last.
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
