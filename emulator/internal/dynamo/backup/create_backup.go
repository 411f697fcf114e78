package backup

import (
	"context"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// CreateBackupInput backs up a table under a name.
type CreateBackupInput struct {
	TableName  *string
	BackupName *string `check:"notnull,name,minlen=3,maxlen=255"`
}

func (in *CreateBackupInput) Decode(d *wire.Decoder) error { return d.NamedShape(in, &in.TableName) }

func (in *CreateBackupInput) Check() error {
	if err := control.CheckTableName(in.TableName); err != nil {
		return err
	}
	return wire.CheckShape(in)
}

func (in *CreateBackupInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: wire.OrZero(in.TableName)})
}

type createBackupOutput struct{ BackupDetails backupDetails }

func (out *createBackupOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

// CreateBackup copies a table as of one moment, while the table is written to. The backup is complete before the
// response, which nevertheless says CREATING. Several backups may have the same name.
func CreateBackup(req *engine.Request, in *CreateBackupInput) (*createBackupOutput, error) {
	t, err := findTable(req.Account, *in.TableName)
	if err != nil {
		return nil, err
	}
	if err := t.CheckAvailable(); err != nil {
		return nil, err
	}
	b := NewBackup(req.Account, t.Def, *in.BackupName, UserBackup)
	end, err := beginFilling(req.BeginWait(), req.Account, t, b)
	if err != nil {
		return nil, err
	}
	defer func() { _ = end() }() // also after a panic; what it cannot remove, the next start removes
	req.Work.EndTurn()           // copying takes its own turns
	if err := FillBackup(req.Account, t, b); err != nil {
		return nil, err
	}
	if err := req.LockTables(); err != nil { // its only table may have been deleted meanwhile, and the account with it
		return nil, err
	}
	defer req.Account.UnlockTables()
	b.Unfinished = false
	if err := storeBackup(context.Background(), req.Account, b); err != nil {
		return nil, err
	}
	return &createBackupOutput{b.details(engine.Creating)}, nil
}

// beginFilling stores the description of a backup of a table, whose items are written next and sealed by the table's
// key. end must follow: it removes the backup if it is unfinished. If the process ends before, the next start does.
func beginFilling(ctx context.Context, a *engine.Account, t *engine.Table, b *Backup) (end func() error, err error) {
	keys := engine.ExtensionOf[*encryption.Extension](a.Engine)
	keys.HoldKey(t.Def.ID) // the table may be deleted before the backup has items
	keys.TableKeys.SealKeySpace(t.Def.ID, b.ID)
	keys.TableKeys.InstallSealer(a.Engine.Store)
	b.Unfinished = true
	end = func() error {
		defer keys.ReleaseKey(t.Def.ID)
		if !b.Unfinished {
			return nil
		}
		return a.Engine.Store.Update(store.Latch(b.keyPrefix()), func(tx *store.Tx) error { return b.delete(a.Engine, tx) })
	}
	if err := storeBackup(ctx, a, b); err != nil {
		return nil, errors.Join(err, end())
	}
	return end, nil
}

// storeBackup stores a backup's description.
func storeBackup(ctx context.Context, a *engine.Account, b *Backup) error {
	return a.Engine.Store.UpdateContext(ctx, store.Latch(backupKey(engine.BackupMeta, b.ID)), func(tx *store.Tx) error {
		return PutBackup(a, tx, b)
	})
}

// FillBackup copies a table's items into a backup.
func FillBackup(a *engine.Account, t *engine.Table, b *Backup) error {
	return a.Engine.Store.View(func(r *store.Reader) error {
		if err := t.CheckCurrent(); err != nil {
			return err
		}
		return CopyItems(a.Engine, r, engine.AppendTablePrefix(nil, t.Def.ID), b.keyPrefix(), (*store.Tx).Append,
			func(it item.Value) {
				b.Items++
				b.Bytes += int64(it.ItemSize())
			})
	})
}
