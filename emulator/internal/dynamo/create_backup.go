package dynamo

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// CreateBackupInput backs up a table under a name.
type CreateBackupInput struct {
	TableName  *string
	BackupName *string `check:"notnull,name,minlen=3,maxlen=255"`
}

func (in *CreateBackupInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *CreateBackupInput) check() error {
	if err := checkNamed(in.TableName); err != nil {
		return err
	}
	return checkShape(in)
}

func (in *CreateBackupInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: nameOf(orZero(in.TableName))})
}

type createBackupOutput struct{ BackupDetails backupDetails }

func (out *createBackupOutput) appendJSON(dst []byte) []byte { return appendMarshalled(dst, out) }

// createBackup copies a table as it is at one moment, while it is written to; only the answer says that this is under way.
// Names of backups may come again.
func createBackup(a *request, in *CreateBackupInput) (*createBackupOutput, error) {
	t, err := a.account.recoverable(*in.TableName)
	if err != nil {
		return nil, err
	}
	if err := t.available(a.account); err != nil {
		return nil, err
	}
	b := a.account.newBackup(t.def, *in.BackupName, userBackup)
	a.service.tableKeys.sealBackup(b)
	a.service.tableKeys.installSealer(a.service.store)
	b.Unfinished = true
	put := func(tx *store.Tx) error { return a.account.putBackup(tx, b) }
	if err := a.service.store.UpdateContext(a.waiting(), store.Latch(backupKey(backupMeta, b.ID)), put); err != nil {
		return nil, err
	}
	a.work.EndTurn() // copying has turns of its own
	err = a.account.fillBackup(t, b)
	if err == nil {
		err = a.account.ddl.Close(a.waiting())
	}
	if err != nil {
		_ = a.service.store.Update(store.Latch(b.space()), b.erase) // the next start removes it otherwise
		return nil, err
	}
	defer a.account.ddl.Open()
	b.Unfinished = false
	if err := a.service.store.Update(store.Latch(backupKey(backupMeta, b.ID)), put); err != nil {
		return nil, err
	}
	return &createBackupOutput{b.details(creating)}, nil
}

// fillBackup copies a table's items.
func (a *account) fillBackup(t *table, b *backup) error {
	return a.service.store.View(func(r *store.Reader) error {
		if err := t.current(); err != nil {
			return err
		}
		return a.service.copyItems(r, appendSpace(nil, t.def.ID), b.space(), (*store.Tx).Append, func(it item.Value) {
			b.Items++
			b.Bytes += int64(it.ItemSize())
		})
	})
}
