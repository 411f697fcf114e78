package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"

// UpdateTimeToLiveInput turns the time to live of a table on or off.
type UpdateTimeToLiveInput struct {
	TableName               *string
	TimeToLiveSpecification *TimeToLiveSpecificationInput `check:"notnull"`
}

// TimeToLiveSpecificationInput names the attribute with the expiry time of an item.
type TimeToLiveSpecificationInput struct {
	Enabled       *bool   `check:"notnull"`
	AttributeName *string `check:"notnull,minlen=1,maxlen=255"`
}

func (in *UpdateTimeToLiveInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *UpdateTimeToLiveInput) check() error {
	if err := checkTableName(in.TableName); err != nil {
		return err
	}
	return checkShape(in)
}

type updateTimeToLiveOutput struct{ TimeToLiveSpecification timeToLiveSpecification }

type timeToLiveSpecification struct {
	AttributeName string
	Enabled       bool
}

func (out *updateTimeToLiveOutput) appendJSON(dst []byte) []byte { return appendMarshalled(dst, out) }

// updateTimeToLive enters the items that are there in the order of expiry before it answers; what is due expires at once.
func updateTimeToLive(a *request, in *UpdateTimeToLiveInput) (*updateTimeToLiveOutput, error) {
	if err := a.account.ddl.Close(a.waiting()); err != nil {
		return nil, err
	}
	defer a.account.ddl.Open()
	t, err := a.account.namedTable(*in.TableName)
	if err != nil {
		return nil, err
	}
	if err := t.available(a.account); err != nil {
		return nil, err
	}
	asked := timeToLiveSpecification{*in.TimeToLiveSpecification.AttributeName, *in.TimeToLiveSpecification.Enabled}
	if err := t.checkTimeToLive(asked); err != nil {
		return nil, err
	}
	def := *t.def
	if def.TTLAttribute, def.EnteringExpiry = "", asked.Enabled; asked.Enabled {
		def.TTLAttribute = asked.AttributeName
	}
	if t, err = a.account.publish(a.waiting(), &def, nil); err != nil {
		return nil, err
	}
	_, err = a.account.finish(t)
	return &updateTimeToLiveOutput{asked}, err
}

func (t *table) checkTimeToLive(asked timeToLiveSpecification) error {
	current := t.def.TTLAttribute
	switch {
	case current == "" && !asked.Enabled:
		return validationError("TimeToLive is already disabled")
	case current == "":
		return nil
	case current != asked.AttributeName:
		return validationError("TimeToLive is active on a different AttributeName: current AttributeName is " + current)
	case asked.Enabled:
		return validationError("TimeToLive is already enabled")
	}
	return nil
}

func (in *UpdateTimeToLiveInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: orZero(in.TableName)})
}
