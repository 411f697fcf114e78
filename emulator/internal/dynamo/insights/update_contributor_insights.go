package insights

import (
	"math"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// UpdateContributorInsightsInput turns the contributor insights of a table or a global index on or off.
type UpdateContributorInsightsInput struct {
	TableName                 *string
	IndexName                 *string `check:"name"`
	ContributorInsightsAction *string `check:"notnull,enum=ENABLE|DISABLE"`
	ContributorInsightsMode   *string `check:"enum=THROTTLED_KEYS|ACCESSED_AND_THROTTLED_KEYS"`
}

func (in *UpdateContributorInsightsInput) Decode(d *wire.Decoder) error {
	return d.NamedShape(in, &in.TableName)
}

func (in *UpdateContributorInsightsInput) Check() error {
	if err := control.CheckTableName(in.TableName); err != nil {
		return err
	}
	if err := checkInsightsIndexLength(in.IndexName); err != nil {
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

// UpdateContributorInsights enables or disables contributor insights. The response says ENABLING or DISABLING; the
// change is complete at the next request unless States is on. A request that changes nothing answers ENABLED or
// DISABLED.
// (aws-controllers-k8s/dynamodb-controller, 2026-10-08.)
func UpdateContributorInsights(req *engine.Request,
	in *UpdateContributorInsightsInput) (*updateContributorInsightsOutput, error) {
	if err := req.Account.DDL.Close(req.BeginWait()); err != nil {
		return nil, err
	}
	defer req.Account.DDL.Open()
	transition := control.TransitionOf(req.Account, *in.TableName)
	if transition != nil && (transition.Status == engine.Creating || transition.Status == engine.Deleting) {
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
	out := &updateContributorInsightsOutput{TableName: *in.TableName, IndexName: wire.OrZero(in.IndexName)}
	if next == subject.insights {
		out.ContributorInsightsStatus, _ = insightsStatus(next, req.Engine.Now())
		if next != nil {
			out.ContributorInsightsMode = next.Mode
		}
		return out, nil
	}
	if next.Enabled {
		rules := countInsightRules(req.Account, subject.insights) + len(InsightRuleNames(t.Def.Name, subject.keys, next))
		next.Failed = rules > maxInsightRules
	}
	out.ContributorInsightsStatus, _ = insightsStatus(next, next.Changed-1)
	out.ContributorInsightsMode = next.Mode
	return out, publishInsights(req, t, subject.index, next)
}

// insightsInvalidState returns the error for a table or an index in a transitional state. (aws-controllers-k8s/
// dynamodb-controller, 2026-10.)
func insightsInvalidState(status string) *wire.Error {
	return wire.ValidationError("Table or Index is not in a valid state to update Key Access Insights: " + status +
		" must be ACTIVE to enable ContributorInsights.")
}

// apply returns the settings after the request; the same ones if it changes nothing. A change of the mode of enabled
// insights keeps the names of the rules.
func (in *UpdateContributorInsightsInput) apply(e *engine.Engine, def *engine.Definition,
	current *engine.ContributorInsights) *engine.ContributorInsights {
	enable, enabled := *in.ContributorInsightsAction == "ENABLE", current != nil && current.Enabled
	mode := accessedAndThrottledKeys
	if in.ContributorInsightsMode != nil {
		mode = *in.ContributorInsightsMode
	} else if enabled {
		mode = current.Mode
	}
	if !enable && !enabled || enable && enabled && current.Mode == mode && !current.Failed {
		return current
	}
	now := e.Now()
	duration := enablingInsights
	next := &engine.ContributorInsights{Enabled: enable, Mode: mode, Changed: now, Settled: now}
	switch {
	case !enable:
		next.Mode, next.Rules, next.Failed = current.Mode, current.Rules, current.Failed
		duration = disablingInsights
	case enabled && !current.Failed:
		next.Rules = current.Rules
	default:
		next.Rules = newRulesTime(def, now)
	}
	if e.States {
		next.Settled += float64(control.RandomDuration(e, duration)/time.Millisecond) / 1000
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

func (in *UpdateContributorInsightsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: wire.OrZero(in.TableName), Index: wire.OrZero(in.IndexName)})
}
