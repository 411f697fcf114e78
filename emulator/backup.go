package emulator

import (
	"context"
	"io"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// BackupSizeHeader is the header of the admin API's answer to POST /_tabletop/backup that says how many bytes the files
// of the backup have in all.
const BackupSizeHeader = control.BackupSizeHeader

// BackupTarget is where a backup goes.
type BackupTarget struct {
	Dir     string // must not exist
	RootKey string // as in WithRootKey; empty: in the backup, or not known, and then the backup is not examined
	MinFree uint64 // bytes that the disk of Dir keeps free, or a tenth of a small disk; 0: no limit
}

// TakenBackup is a backup of an emulator that runs: a data folder that WithData opens.
type TakenBackup struct {
	Taken time.Time // by the machine's clock
	Files int
	Bytes int64
	// Report is of the examination of the folder; nil where its root key is not known.
	Report *FolderReport
}

// BackUp copies the data folder into a new one while requests go on: as of one moment, with every write that was
// acknowledged before it, and no transaction in part. The copy is examined. One backup is taken at a time. The root key
// goes with it only where it lies in the folder. After an error, and when ctx ends, there is no new folder. Data in
// memory is not backed up.
func (e *Emulator) BackUp(ctx context.Context, newDir string) (*TakenBackup, error) {
	got, err := e.store.BackUp(ctx, newDir)
	if err != nil {
		return nil, err
	}
	return takenBackup(got), nil
}

// ReceiveBackup makes the answer to POST /_tabletop/backup, with the size of BackupSizeHeader, a new data folder. What
// comes is not trusted. After an error, and when ctx ends, there is no new folder.
func ReceiveBackup(ctx context.Context, in io.Reader, size int64, to BackupTarget) (*TakenBackup, error) {
	got, err := store.Receive(ctx, in, size, store.Options{Dir: to.Dir, RootKey: to.RootKey, MinFree: to.MinFree, Survey: survey})
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
