package dynamo_test

import (
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
)

// TestStates replays conversations with a service with States, in the form of TestTranscripts.
func TestStates(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/states", func(t *testing.T, path string) {
		t.Parallel()
		c := newConversationWith(t, dynamo.Config{States: true, Throttling: true})
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "advance" {
				c.advance(t, d.Input)
				return ""
			}
			return c.say(t, d.Cmd, d.Input)
		})
	})
}
