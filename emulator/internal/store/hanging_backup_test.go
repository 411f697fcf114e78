package store_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
)

// TestADiskThatHangsInABackup makes one operation of each kind on the files of a backup hang: the backup ends after a
// minute with the cause, updates do not wait for it, and once the disk answers the next backup is complete. No file
// stays open.
func TestADiskThatHangsInABackup(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"mkdir", "create", "write", "close", "link", "list", "stat", "open", "read", "removeall"} {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { hangInABackup(t, op) })
		})
	}
}

func hangInABackup(t *testing.T, op string) {
	s, disk := withTable(t)
	answers := make(chan struct{})
	disk.set(fault{at: 1, once: true, hang: answers, reads: true, only: func(o, name string) bool {
		return o == op && ofBackup(o, name)
	}})
	began := time.Now()
	ended := make(chan error, 1)
	go func() {
		_, _, err := backUp(s)
		ended <- err
	}()
	synctest.Wait()
	if err := tryPut(s, "during", "the backup"); err != nil || time.Since(began) > time.Second {
		t.Errorf("an update waited for %v, %v", time.Since(began), err)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "has not answered for 1m0s") {
		t.Errorf("the backup returned %v", err)
	}
	if took := time.Since(began); took > promisedEnd {
		t.Errorf("the backup took %v", took)
	}
	if err := s.Err(); err != nil {
		t.Errorf("the backup failed the store: %v", err)
	}
	began = time.Now()
	asks := op == "list" || op == "stat" // changes nothing, so the next backup need not wait
	if _, _, err := backUp(s); (err == nil) != asks || time.Since(began) > 0 {
		t.Errorf("a backup beside the abandoned operation of another returned %v after %v", err, time.Since(began))
	}
	close(answers)
	schedule.Advance(time.Minute) // of the bubble: abandoned operations end
	if stream, size, err := backUp(s); err != nil {
		t.Error(err)
	} else {
		readStream(t, stream, size)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if op != "write" { // Pebble forgets the copy of its options that it cannot write
		checkClosed(t, disk)
	}
}
