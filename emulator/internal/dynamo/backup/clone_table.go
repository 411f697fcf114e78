package backup

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/streams"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// CloneTableInput copies a table to a new one. It is not an operation of DynamoDB: the web console uses it.
type CloneTableInput struct {
	TableName       *string
	TargetTableName *string `check:"notnull,name,minlen=3,maxlen=255"`
	WithoutItems    *bool
}

func (in *CloneTableInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

func (in *CloneTableInput) Check() error {
	if err := control.CheckTableName(in.TableName); err != nil {
		return err
	}
	return wire.CheckShape(in)
}

// AppendResourceRefs appends the permissions that a client needs who creates the same table and copies the items.
func (in *CloneTableInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	source, target := wire.OrZero(in.TableName), wire.OrZero(in.TargetTableName)
	dst = append(dst, engine.ResourceRef{Action: "DescribeTable", Table: source},
		engine.ResourceRef{Action: "CreateTable", Table: target},
		engine.ResourceRef{Action: "UpdateTimeToLive", Table: target})
	if !wire.OrZero(in.WithoutItems) {
		dst = append(dst, engine.ResourceRef{Action: "Scan", Table: source},
			engine.ResourceRef{Action: "BatchWriteItem", Table: target})
	}
	return dst
}

// CloneTableOutput is the number of items of the new table.
type CloneTableOutput struct {
	Items int64 `json:"items"`
}

// AppendJSON implements wire.Output.
func (out CloneTableOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

// CloneTable creates a table with the keys, indexes, throughput, table class, encryption, time to live and stream
// settings of another one and, unless WithoutItems is set, its items as of one moment, while they are written to. The
// request reports how many it has copied. Requests see the new table when it is complete, and then it is active, also
// with States; if the client leaves before, or the process ends, nothing is left of it.
func CloneTable(req *engine.Request, in *CloneTableInput) (out CloneTableOutput, err error) {
	t, err := req.Account.NamedTable(*in.TableName)
	if err != nil {
		return out, err
	}
	if err := t.CheckAvailable(); err != nil {
		return out, err
	}
	def, err := cloneDefinition(req, t.Def, *in.TargetTableName)
	if err != nil {
		return out, err
	}
	if err := ReserveName(req, def, "table: "+t.Def.ARN); err != nil {
		return out, err
	}
	req.Work.EndTurn() // copying takes its own turns
	var finishErr error
	err = FillReserved(req.Context, req.Account, def, func(to *engine.Table) (err error) {
		if !wire.OrZero(in.WithoutItems) {
			out.Items, err = cloneItems(req, t, to)
		}
		return err
	}, func(to *engine.Table) {
		_, finishErr = req.Account.FinishWork(req.Engine.WorkContext(), to)
		delete(control.Transitions(req.Account).Restoring, def.Name)
	})
	if err == nil {
		err = finishErr
	}
	return out, err
}

// cloneDefinition returns the definition of a clone. Its tags, deletion protection, point-in-time recovery, policies,
// replicas and Kinesis streams are not those of its source.
func cloneDefinition(req *engine.Request, source *engine.Definition, name string) (*engine.Definition, error) {
	def, err := new(Overrides).Definition(req, req.Account, source, name)
	if err != nil {
		return nil, err
	}
	def.Class, def.Warm = source.Class, source.Warm
	for i := range def.Global {
		def.Global[i].Warm, def.Global[i].Insights = source.Global[i].Warm, nil
	}
	if source.Stream != nil {
		def.Stream = streams.NewStreamSpecification(req.Account, name, source.Stream.ViewType)
	}
	def.TTLAttribute, def.EnteringExpiry = source.TTLAttribute, source.TTLAttribute != ""
	return def, nil
}

// progressItems is after how many items a clone reports its progress.
const progressItems = 1000

// cloneItems copies the items as of now. Errors: the end of the request's context.
func cloneItems(req *engine.Request, from, to *engine.Table) (items int64, err error) {
	err = req.Engine.Store.View(func(r *store.Reader) error {
		if err := from.CheckCurrent(); err != nil {
			return err
		}
		return CopyItems(req.Engine, r, engine.AppendTablePrefix(nil, from.Def.ID), engine.AppendTablePrefix(nil, to.Def.ID),
			func(tx *store.Tx, key, value []byte) error {
				if items++; items%progressItems == 0 {
					req.Progress(items)
				}
				return errors.Join(req.Context.Err(), tx.Set(key, value))
			}, nil)
	})
	return items, err
}
