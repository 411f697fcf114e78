package store

import "testing"

// TestAPanicOnCommitWaitsForTheSync panics when an update is visible: its sync ends before its memory is used again.
func TestAPanicOnCommitWaitsForTheSync(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 20 {
		func() {
			defer func() { _ = recover() }()
			_ = s.Update(Latch([]byte("a")), func(tx *Tx) error {
				tx.OnCommit(func() { panic("a bug above the store") })
				return tx.Set([]byte("a"), []byte("1"))
			})
		}()
		if n := s.unsynced.Load(); n != 0 {
			t.Fatalf("%d updates count as not synced", n)
		}
	}
}
