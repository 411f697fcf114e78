package emulator

import (
	"context"
	"io"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// BackupSizeHeader is the header of the admin API's response to POST /_tabletop/backup that holds the total size of the
// backup's files in bytes.
const BackupSizeHeader = control.BackupSizeHeader

// BackupTarget describes where a backup is written.
type BackupTarget struct {
	Dir     string // must not exist
	RootKey string // as in WithRootKey; empty: in the backup, or unknown, and then the backup is not checked
	MinFree uint64 // bytes to keep free on the disk of Dir, or a tenth of a small disk; 0: no limit
}

// TakenBackup is a backup of a running emulator: a data folder that WithData opens.
type TakenBackup struct {
	Taken time.Time // machine time
	Files int
	Bytes int64
	// Report is the result of checking the folder; nil if its root key is not known.
	Report *FolderReport
}

// BackUp copies the data folder into a new folder while requests continue. The copy is consistent as of one moment: it
// has every write that was acknowledged before, and no partial transaction. BackUp checks the copy. Only one backup
// runs at a time. The root key is copied only if it is in the folder. If BackUp fails or ctx is done, there is no new
// folder. State in memory cannot be backed up.
func (e *Emulator) BackUp(ctx context.Context, newDir string) (*TakenBackup, error) {
	got, err := e.store.BackUp(ctx, newDir)
	if err != nil {
		return nil, err
	}
	return takenBackup(got), nil
}

// ReceiveBackup writes the response to POST /_tabletop/backup, whose BackupSizeHeader is size, into a new data folder.
// The input is not trusted. If ReceiveBackup fails or ctx is done, there is no new folder.
func ReceiveBackup(ctx context.Context, in io.Reader, size int64, to BackupTarget) (*TakenBackup, error) {
	got, err := store.Receive(ctx, in, size, store.Options{Dir: to.Dir, RootKey: to.RootKey, MinFree: to.MinFree,
		Survey: registerAndDecrypt})
	if err != nil {
		return nil, err
	}
	return takenBackup(got), nil
}

func takenBackup(got *store.Received) *TakenBackup {
	b := &TakenBackup{Taken: got.Taken, Files: got.Files, Bytes: got.Bytes}
	if got.Report != nil {
		b.Report = folderReport(got.Report)
	}
	return b
}
