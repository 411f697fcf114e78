package emulatorcmd

import (
	"context"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestDoctorStops interrupts a check that takes long.
func TestDoctorStops(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	await.Return(t, "the check", func() {
		_, err := untilStopped(ctx, ": the folder was not checked", func() (int, error) {
			interrupt()
			<-t.Context().Done() // the test has ended
			return 1, nil
		})
		if err == nil || !strings.HasSuffix(err.Error(), ": the folder was not checked") {
			t.Error(err)
		}
	})
	if got, err := untilStopped(t.Context(), "", func() (int, error) { return 1, nil }); got != 1 || err != nil {
		t.Error(got, err)
	}
}
