package backup

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// ListBackupsInput requests a page of the backups of the account, or of one table, made in a time range.
type ListBackupsInput struct {
	TableName               *string
	Limit                   *int32 `check:"min=1,max=100"`
	TimeRangeLowerBound     *float64
	TimeRangeUpperBound     *float64
	ExclusiveStartBackupArn *string `check:"minlen=37,maxlen=1024"`
	BackupType              *string `check:"enum=USER|SYSTEM|AWS_BACKUP|ALL"`
}

func (in *ListBackupsInput) Decode(d *wire.Decoder) error { return d.NamedShape(in, &in.TableName) }

func (in *ListBackupsInput) Check() error {
	if in.TableName != nil {
		if err := control.CheckTableName(in.TableName); err != nil {
			return err
		}
	}
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	if in.TimeRangeLowerBound != nil && in.TimeRangeUpperBound != nil &&
		*in.TimeRangeLowerBound > *in.TimeRangeUpperBound {
		return wire.ParameterError("Time range lower bound must be less than or equal to upper bound")
	}
	if in.ExclusiveStartBackupArn == nil {
		return nil
	}
	return checkBackupARN(*in.ExclusiveStartBackupArn)
}

type listBackupsOutput struct {
	BackupSummaries        []backupSummary
	LastEvaluatedBackupArn string `json:",omitempty"`
}

type backupSummary struct {
	TableName              string
	TableId                string
	TableArn               string
	BackupArn              string
	BackupName             string
	BackupCreationDateTime float64
	BackupExpiryDateTime   float64 `json:",omitempty"`
	BackupStatus           string
	BackupType             string
	BackupSizeBytes        int64
}

func (out *listBackupsOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

// maxListedBackups is the most backups in one response.
const maxListedBackups = 100

// ListBackups lists backups sorted by time, including those of deleted tables. By default it lists only user backups.
func ListBackups(req *engine.Request, in *ListBackupsInput) (*listBackupsOutput, error) {
	if err := req.Budget().Step(engine.SortStepsPerName * len(allBackups(req.Account))); err != nil {
		return nil, err
	}
	if start := in.ExclusiveStartBackupArn; start != nil && strings.Split(*start, ":")[3] != req.Account.Region() {
		return nil, invalidRequest("The supplied ExclusiveStartBackupArn does not match the region") // (DDB-BACKUP-012)
	}
	all := slices.SortedFunc(maps.Values(allBackups(req.Account)), func(b, c *Backup) int {
		return cmp.Compare(sortKey(b.ARN), sortKey(c.ARN))
	})
	out := &listBackupsOutput{BackupSummaries: []backupSummary{}}
	limit := maxListedBackups
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	for _, b := range all {
		if !in.includes(b) || b.expired(req.Engine.Clock.Now()) {
			continue
		}
		if len(out.BackupSummaries) == limit {
			out.LastEvaluatedBackupArn = out.BackupSummaries[limit-1].BackupArn
			break
		}
		def := b.Definition
		out.BackupSummaries = append(out.BackupSummaries, backupSummary{
			def.Name, def.UUID, def.ARN, b.ARN, b.Name, b.Created, b.Expires, available, b.Type, b.Bytes,
		})
	}
	return out, nil
}

// sortKey returns the sort key of a backup: its id, which begins with the time, then the rest of its ARN.
func sortKey(arn string) string {
	before, id, _ := strings.Cut(arn, "/backup/")
	return id + before
}

// includes reports whether the request includes a backup.
func (in *ListBackupsInput) includes(b *Backup) bool {
	kind := wire.OrZero(in.BackupType)
	if kind == "" {
		kind = UserBackup
	}
	switch {
	case kind != "ALL" && kind != b.Type,
		in.TableName != nil && *in.TableName != b.Definition.Name,
		in.TimeRangeLowerBound != nil && b.Created < *in.TimeRangeLowerBound,
		in.TimeRangeUpperBound != nil && b.Created >= *in.TimeRangeUpperBound,
		in.ExclusiveStartBackupArn != nil && sortKey(b.ARN) <= sortKey(*in.ExclusiveStartBackupArn):
		return false
	}
	return true
}
