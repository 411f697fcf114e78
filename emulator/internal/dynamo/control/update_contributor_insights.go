package control

import (
	"math"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// UpdateContributorInsightsInput turns the contributor insights of a table or a global index on or off.
type UpdateContributorInsightsInput struct {
	TableName                 *string
	IndexName                 *string `check:"name,minlen=3,maxlen=255"`
	ContributorInsightsAction *string `check:"notnull,enum=ENABLE|DISABLE"`
	ContributorInsightsMode   *string `check:"enum=ACCESSED_AND_THROTTLED_KEYS|THROTTLED_KEYS"`
}

func (in *UpdateContributorInsightsInput) Decode(d *wire.Decoder) error {
	return d.NamedShape(in, &in.TableName)
}

func (in *UpdateContributorInsightsInput) Check() error {
	if err := CheckTableName(in.TableName); err != nil {
		return err
	}
	return wire.CheckShape(in)
}

type updateContributorInsightsOutput struct {
	TableName                 string
	IndexName                 string `json:",omitempty"`
	ContributorInsightsStatus string
	ContributorInsightsMode   string `json:",omitempty"`
}

func (out *updateContributorInsightsOutput) AppendJSON(dst []byte) []byte {
	return wire.AppendMarshaled(dst, out)
}

// UpdateContributorInsights enables or disables contributor insights, at once unless States is on. As no answer of the
// service is known for a request that changes nothing, such a request succeeds and changes nothing.
func UpdateContributorInsights(req *engine.Request,
	in *UpdateContributorInsightsInput) (*updateContributorInsightsOutput, error) {
	if err := req.Account.DDL.Close(req.BeginWait()); err != nil {
		return nil, err
	}
	defer req.Account.DDL.Open()
	if transition := TransitionOf(req.Account, *in.TableName); transition != nil && transition.Status != engine.Active {
		return nil, insightsInvalidState("TableStatus")
	}
	t, err := req.Account.NamedTable(*in.TableName)
	if err != nil {
		return nil, err
	}
	subject, err := findInsightsSubject(t, in.IndexName)
	if err != nil {
		return nil, err
	}
	if !subject.active {
		return nil, insightsInvalidState("IndexStatus")
	}
	next := in.apply(req.Engine, t.Def, subject.insights)
	if next != subject.insights {
		if err := publishInsights(req, t, subject.index, next); err != nil {
			return nil, err
		}
	}
	return in.output(next, req.Engine.Now()), nil
}

// insightsInvalidState returns the error for a table or an index in a transitional state. (aws-controllers-k8s/
// dynamodb-controller, 2026-10.)
func insightsInvalidState(status string) *wire.Error {
	return wire.ValidationError("Table or Index is not in a valid state to update Key Access Insights: " + status +
		" must be ACTIVE to enable ContributorInsights.")
}

// apply returns the settings after the request; the same ones if it changes nothing.
func (in *UpdateContributorInsightsInput) apply(e *engine.Engine, def *engine.Definition,
	current *engine.ContributorInsights) *engine.ContributorInsights {
	enable, mode := *in.ContributorInsightsAction == "ENABLE", accessedAndThrottledKeys
	if in.ContributorInsightsMode != nil {
		mode = *in.ContributorInsightsMode
	} else if current != nil && current.Enabled {
		mode = current.Mode
	}
	switch {
	case current == nil && !enable, current != nil && !current.Enabled && !enable,
		current != nil && current.Enabled && enable && current.Mode == mode:
		return current
	}
	now := e.Now()
	next := &engine.ContributorInsights{Enabled: enable, Mode: mode, Rules: newRulesTime(def, now), Changed: now,
		Settled: now}
	if !enable {
		next.Mode, next.Rules = current.Mode, current.Rules
	}
	if e.States {
		next.Settled += float64(RandomDuration(e, changingInsights)/time.Millisecond) / 1000
	}
	return next
}

// newRulesTime returns the time, in milliseconds since 1970, for the names of new rules: the current time, or a later
// one if a table and its index are enabled in the same millisecond, because no two rules have the same name.
func newRulesTime(def *engine.Definition, now float64) int64 {
	at := int64(math.Round(now * 1000))
	later := func(c *engine.ContributorInsights) {
		if c != nil {
			at = max(at, c.Rules+1)
		}
	}
	later(def.Insights)
	for _, x := range def.Global {
		later(x.Insights)
	}
	return at
}

func publishInsights(req *engine.Request, t *engine.Table, index int, insights *engine.ContributorInsights) error {
	def := t.Def.Clone()
	if index < 0 {
		def.Insights = insights
	} else {
		def.Global[index].Insights = insights
	}
	_, err := req.Account.Publish(req.BeginWait(), def, nil)
	return err
}

func (in *UpdateContributorInsightsInput) output(c *engine.ContributorInsights,
	now float64) *updateContributorInsightsOutput {
	out := &updateContributorInsightsOutput{TableName: *in.TableName, IndexName: wire.OrZero(in.IndexName)}
	out.ContributorInsightsStatus, _ = insightsStatus(c, now)
	if c != nil {
		out.ContributorInsightsMode = c.Mode
	}
	return out
}

func (in *UpdateContributorInsightsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: wire.OrZero(in.TableName), Index: wire.OrZero(in.IndexName)})
}
