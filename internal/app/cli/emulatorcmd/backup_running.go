package emulatorcmd

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// maxSilence is how long an emulator may pause while it sends a backup.
const maxSilence = 2 * time.Minute

// errInterrupted is the error of a backup that Ctrl-C or SIGTERM ended.

// backUpRunning backs up a running emulator.
func (f *backupFlags) backUpRunning(parent context.Context, out io.Writer, newDir string) error {
	if _, err := os.Lstat(newDir); err == nil {
		return command.Usagef(
			"%s already exists: use a new folder; to back up a folder that no emulator is using, give DIR and NEWDIR", newDir)
	}
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	response, err := f.admin.stream(ctx, http.MethodPost, "/backup", nil)
	if err != nil {
		return orInterrupted(parent, err)
	}
	defer response.Body.Close()
	size, err := strconv.ParseInt(response.Header.Get(emulator.BackupSizeHeader), 10, 64)
	if err != nil || size <= 0 {
		return command.Usagef("%s is not an emulator: correct --endpoint", f.admin.Endpoint)
	}
	in := newWatchedReader(response.Body, maxSilence, func() {
		cancel(fmt.Errorf("%s sent no data for %s: no backup was made", f.admin.Endpoint, maxSilence))
	})
	defer in.stop()
	to := emulator.BackupTarget{Dir: newDir, RootKey: f.rootKey, MinFree: f.minFreeMB << 20}
	got, err := emulator.ReceiveBackup(ctx, in, size, to)
	if err != nil {
		return folderError(orInterrupted(parent, err))
	}
	return printBackup(out, newDir, got)
}

// orInterrupted returns err, or that a signal has stopped the command.
func orInterrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return command.Stoppedf(ctx, ": no backup was made")
	}
	return err
}

func printBackup(out io.Writer, newDir string, got *emulator.TakenBackup) error {
	if got.Report != nil {
		printSummary(out, got.Report)
	} else {
		_, _ = fmt.Fprintf(out,
			"Not checked: the root key is not in the folder; to check it: tabletop doctor %s --root-key FILE\n", newDir)
	}
	_, _ = thousands.Fprintf(out, "As of %s: %d files, %d bytes\n", got.Taken.Format(time.RFC3339), got.Files, got.Bytes)
	return printBackedUp(out, newDir)
}

// watchedReader is a reader that calls a function when a Read takes longer than limit.
type watchedReader struct {
	io.Reader
	limit time.Duration
	timer *time.Timer
}

func newWatchedReader(r io.Reader, limit time.Duration, onTimeout func()) *watchedReader {
	return &watchedReader{r, limit, time.AfterFunc(limit, onTimeout)}
}

// Read implements io.Reader.
func (r *watchedReader) Read(p []byte) (int, error) {
	r.timer.Reset(r.limit)
	defer r.timer.Stop() // processing the data does not count
	return r.Reader.Read(p)
}

func (r *watchedReader) stop() { r.timer.Stop() }
