package emulator

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/admin"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestUnreadBackupIsCanceled requests a backup that is larger than the connection's buffers, and reads nothing of
// it.
func TestUnreadBackupIsCanceled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := Run(t, WithConsole(admin.Console), WithData(dir),
		withInflight(inflight.Limits{StallTimeout: time.Second}))
	for i := range byte(60) {
		if err := e.store.Update(store.Latches{}, func(tx *store.Tx) error {
			return tx.Set([]byte{'y', i}, make([]byte, 390_000))
		}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, e.DynamoDBURL()+"/_tabletop/backup", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	await.True(t, "the checkpoint of the backup is removed", func() bool {
		_, err := os.Stat(filepath.Join(dir, "backup.tmp"))
		return errors.Is(err, os.ErrNotExist)
	})
}
