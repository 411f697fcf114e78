package dynamo

import (
	"context"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// ScalingSettings are how a capacity is scaled.
type ScalingSettings = engine.ScalingSettings

// ScalingPolicy is a target tracking policy of ScalingSettings.
type ScalingPolicy = engine.ScalingPolicy

// ScalingConfiguration is the configuration of a ScalingPolicy.
type ScalingConfiguration = engine.ScalingConfiguration

// ScalingChange changes how a capacity is scaled.
type ScalingChange = engine.ScalingChange

// ScalingRefused is the message with which Application Auto Scaling refused a change.
type ScalingRefused = engine.ScalingRefused

// ScaledBy sets what knows the auto scaling of tables, and what changes it. It must be called before the first request.
func (s *Service) ScaledBy(scaling engine.AutoScaling, change engine.ChangeScaling) {
	s.engine.Scaling, s.engine.ChangeScaling = scaling, change
}

// Capacity is the provisioned capacity of a table or of a global secondary index, in units per second.
type Capacity struct {
	Reads, Writes int64 // 0 on demand
	Changing      bool  // the table or the index is not ACTIVE
}

// Capacity returns the provisioned capacity of a table, or of its index if that is not empty. ok is false if there is
// no such table or index.
func (s *Service) Capacity(ctx context.Context, account, table, index string) (c Capacity, ok bool, err error) {
	err = s.runInternally(ctx, account, func(r *engine.Request) error {
		out, err := control.DescribeTable(r,
			&control.DescribeTableInput{TableInput: control.TableInput{TableName: &table}})
		if err != nil {
			return nil // the only error is that the table does not exist
		}
		c, ok = capacityOf(out.Table, index)
		return nil
	})
	return c, ok, err
}

// capacityOf returns the capacity in a table's description, of the table or of an index.
func capacityOf(d *control.TableDescription, index string) (c Capacity, ok bool) {
	if index == "" {
		u := d.ProvisionedThroughput
		return Capacity{u.ReadCapacityUnits, u.WriteCapacityUnits, d.TableStatus != engine.Active}, true
	}
	for _, x := range d.GlobalSecondaryIndexes {
		if x.IndexName == index {
			u := x.ProvisionedThroughput
			return Capacity{u.ReadCapacityUnits, u.WriteCapacityUnits,
				d.TableStatus != engine.Active || x.IndexStatus != engine.Active}, true
		}
	}
	return Capacity{}, false
}

// SetCapacity changes the provisioned capacity of a table, or of its index if that is not empty, as UpdateTable does.
// With States the change takes a while. Errors: those of UpdateTable, whose text is the message alone.
func (s *Service) SetCapacity(ctx context.Context, account, table, index string, reads, writes int64) error {
	units := &control.ProvisionedThroughputInput{ReadCapacityUnits: &reads, WriteCapacityUnits: &writes}
	in := &control.UpdateTableInput{TableName: &table, ProvisionedThroughput: units}
	if index != "" {
		in.ProvisionedThroughput = nil
		in.GlobalSecondaryIndexUpdates = []control.GlobalSecondaryIndexUpdateInput{{
			Update: &control.UpdateGlobalSecondaryIndexActionInput{IndexName: &index, ProvisionedThroughput: units},
		}}
	}
	err := in.Check()
	if err == nil {
		err = s.runInternally(ctx, account, func(r *engine.Request) error {
			_, err := control.ScaleTable(r, in)
			return err
		})
	}
	var refused *wire.Error
	if errors.As(err, &refused) {
		return errors.New(refused.Message)
	}
	return err
}

// runInternally runs an operation of the emulator itself on an account's tables: no policy and no fault applies to it,
// and observers do not see it.
func (s *Service) runInternally(ctx context.Context, account string, run func(r *engine.Request) error) error {
	if err := s.engine.Running.Enter(ctx); err != nil {
		return err
	}
	defer s.engine.Running.Leave()
	if !s.engine.Serving() {
		return wire.InternalError("")
	}
	r := &engine.Request{Context: ctx}
	r.Work.Reset(ctx, engine.RequestLimits(s.engine.Pool, nil))
	defer r.Work.Close()
	r.Begin(s.engine.AccountNamed(account), "UpdateTable", "")
	return run(r)
}
