package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// UpdateTimeToLiveInput turns the time to live of a table on or off.
type UpdateTimeToLiveInput struct {
	TableName               *string
	TimeToLiveSpecification *TimeToLiveSpecificationInput `check:"notnull"`
}

// TimeToLiveSpecificationInput names the attribute with the expiry time of an item.
type TimeToLiveSpecificationInput struct {
	AttributeName *string `check:"notnull,minlen=1,maxlen=255"`
	Enabled       *bool   `check:"notnull"`
}

func (in *UpdateTimeToLiveInput) Decode(d *wire.Decoder) error {
	return d.NamedShape(in, &in.TableName)
}

func (in *UpdateTimeToLiveInput) Check() error {
	if err := CheckTableName(in.TableName); err != nil {
		return err
	}
	return wire.CheckShape(in)
}

type updateTimeToLiveOutput struct{ TimeToLiveSpecification timeToLiveSpecification }

type timeToLiveSpecification struct {
	AttributeName string
	Enabled       bool
}

func (out *updateTimeToLiveOutput) AppendJSON(dst []byte) []byte {
	return wire.AppendMarshaled(dst, out)
}

// UpdateTimeToLive enables or disables time to live. It enters the existing items in the order of expiry before it
// answers; items whose time has passed expire at once.
func UpdateTimeToLive(req *engine.Request, in *UpdateTimeToLiveInput) (*updateTimeToLiveOutput, error) {
	if err := req.Account.DDL.Close(req.BeginWait()); err != nil {
		return nil, err
	}
	defer req.Account.DDL.Open()
	t, err := req.Account.NamedTable(*in.TableName)
	if err != nil {
		return nil, err
	}
	if err := t.CheckAvailable(); err != nil {
		return nil, err
	}
	requested := timeToLiveSpecification{*in.TimeToLiveSpecification.AttributeName, *in.TimeToLiveSpecification.Enabled}
	if err := checkTimeToLive(t, requested); err != nil {
		return nil, err
	}
	if err := checkReplicasSettled(t); err != nil {
		return nil, err
	}
	return &updateTimeToLiveOutput{requested}, publishTimeToLive(req, t, requested)
}

// publishTimeToLive changes the time to live of a table and of its replicas, which have the same.
func publishTimeToLive(req *engine.Request, t *engine.Table, requested timeToLiveSpecification) error {
	g := &group{request: req, table: t}
	members := g.members(t.Def.Clone())
	for _, m := range members {
		if m.def.EnteringExpiry = requested.Enabled; requested.Enabled {
			m.def.TTLAttribute = requested.AttributeName
		} else {
			m.def.TTLAttribute, m.def.HadTTL = "", true
		}
	}
	if err := g.publish(members); err != nil {
		return err
	}
	for i, m := range members {
		if _, err := m.account.FinishWork(req.Engine.WorkContext(), g.changes[i].To); err != nil {
			return err
		}
	}
	return nil
}

func checkTimeToLive(t *engine.Table, requested timeToLiveSpecification) error {
	current := t.Def.TTLAttribute
	switch {
	case t.IsStrong() && requested.Enabled:
		return errStrongTimeToLive()
	case current == "" && !requested.Enabled:
		return wire.ValidationError("TimeToLive is already disabled")
	case current == "":
		return nil
	case current != requested.AttributeName:
		return wire.ValidationError("TimeToLive is active on a different AttributeName: current AttributeName is " + current)
	case requested.Enabled:
		return wire.ValidationError("TimeToLive is already enabled")
	}
	return nil
}

func (in *UpdateTimeToLiveInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: wire.OrZero(in.TableName)})
}
