package emulatorcmd

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestDoctorStops interrupts a check that takes long.
func TestDoctorStops(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	await.Return(t, "the check", func() {
		_, err := untilStopped(ctx, func() string { return ": the folder was not checked" }, func() (int, error) {
			interrupt()
			<-t.Context().Done() // the test has ended
			return 1, nil
		})
		if err == nil || !strings.HasSuffix(err.Error(), ": the folder was not checked") {
			t.Error(err)
		}
	})
	if got, err := untilStopped(t.Context(), nil, func() (int, error) { return 1, nil }); got != 1 || err != nil {
		t.Error(got, err)
	}
}

// TestAStoppedSalvageNamesWhatToRemove stops a salvage to a folder with other files: only a folder that the salvage
// has begun is to be removed.
func TestAStoppedSalvageNamesWhatToRemove(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	err := runSalvage(ctx, io.Discard, printReport, filepath.Join(dir, "missing"), "", dir)
	if err == nil || strings.Contains(err.Error(), "remove") {
		t.Errorf("before the new folder was begun: %v", err)
	}
	if got := stoppedSalvage(dir, false); got != ": nothing was salvaged" {
		t.Error(got)
	}
	if got := stoppedSalvage("rescued", true); got != ": rescued is incomplete: remove it and salvage again" {
		t.Error(got)
	}
}
