package admin

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// A backup that its client reads slowly holds on to the disk space of tables that have been compacted. So a client has
// backupGrace, plus the time that its bytes take at backupPace.
const (
	backupGrace = 2 * time.Minute
	backupPace  = 1 << 20 // bytes a second
)

// errBackupTooSlow ends a backup that its client reads too slowly.
var errBackupTooSlow = errors.New("the client read less than 1 MiB per second for too long")

// Backup is the topic of backups of the data folder.
type Backup struct {
	Begin  func(context.Context) (*store.Backup, error)
	Logger *slog.Logger // logs backups that were cut off; nil: they are not logged
}

// Name implements Topic.
func (Backup) Name() string { return "backup" }

// Routes implements Topic.
func (b Backup) Routes(api huma.API) {
	add(api, huma.Operation{OperationID: "take-backup", Method: http.MethodPost, Path: "/backup",
		Summary: "Back up the data folder",
		Description: "Returns a tar archive of the data folder as of one moment, as tabletop backup does. It has every write that was " +
			"acknowledged before, and no partial transactions. Its last entry is FORMAT; without it the archive is incomplete. " +
			"Other requests are served meanwhile. Only one backup runs at a time.",
		Responses: map[string]*huma.Response{"200": {
			Description: "Tar archive",
			Headers: map[string]*huma.Param{control.BackupSizeHeader: {
				Description: "Total size of the files in bytes", Schema: &huma.Schema{Type: huma.TypeInteger},
			}},
			Content: map[string]*huma.MediaType{"application/x-tar": {}},
		}}},
		func(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) { return b.take(ctx) })
}

func (b Backup) take(ctx context.Context) (*huma.StreamResponse, error) {
	backup, err := b.Begin(ctx)
	if err != nil {
		return nil, conflictError(err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer backup.Close()
		limit := backupGrace + time.Duration(backup.Size()/backupPace)*time.Second
		ctx, cancel := context.WithTimeoutCause(hc.Context(), limit, errBackupTooSlow)
		defer cancel()
		hc.SetHeader("Content-Type", "application/x-tar")
		hc.SetHeader(control.BackupSizeHeader, strconv.FormatInt(backup.Size(), 10))
		if err := backup.Write(ctx, hc.BodyWriter()); err != nil {
			if b.Logger != nil {
				b.Logger.Warn("a backup was aborted: the archive that the client received is incomplete", "error", err)
			}
			panic(http.ErrAbortHandler) // closes the connection, so that a partial response does not look complete
		}
	}}, nil
}
