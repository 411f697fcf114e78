package emulatorcmd

import (
	"io"
	"testing"
	"time"
)

// TestBackupOfASilentEmulatorTimesOut reads from a stream that sends nothing.
func TestBackupOfASilentEmulatorTimesOut(t *testing.T) {
	t.Parallel()
	late := make(chan struct{})
	in, out := io.Pipe()
	defer out.Close()
	r := newWatchedReader(in, time.Millisecond, func() {
		close(late)
		_ = in.Close()
	})
	if _, err := r.Read(make([]byte, 1)); err == nil {
		t.Error("it read something")
	}
	<-late
}
