package insights

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// DescribeContributorInsightsInput names a table, or one of its global indexes.
type DescribeContributorInsightsInput struct {
	TableName *string
	IndexName *string `check:"name"`
}

func (in *DescribeContributorInsightsInput) Decode(d *wire.Decoder) error {
	return d.NamedShape(in, &in.TableName)
}

func (in *DescribeContributorInsightsInput) Check() error {
	if err := control.CheckTableName(in.TableName); err != nil {
		return err
	}
	if err := checkInsightsIndexLength(in.IndexName); err != nil {
		return err
	}
	return wire.CheckShape(in)
}

// checkInsightsIndexLength returns an error for a name of an index that is too short or too long (ack-api-quirks
// DDB-TABLE-457, 2026-10-09).
func checkInsightsIndexLength(name *string) error {
	if name != nil && (len(*name) < 3 || len(*name) > shape.MaxNameLength) {
		return wire.ValidationError("IndexName must be at least 3 characters long and at most 255 characters long")
	}
	return nil
}

type describeContributorInsightsOutput struct {
	TableName                   string
	IndexName                   string   `json:",omitempty"`
	ContributorInsightsRuleList []string `json:",omitempty"`
	ContributorInsightsStatus   string
	LastUpdateDateTime          float64          `json:",omitempty"`
	FailureException            *insightsFailure `json:",omitempty"`
	ContributorInsightsMode     string           `json:",omitempty"`
}

// insightsFailure is why contributor insights could not be enabled.
type insightsFailure struct{ ExceptionName, ExceptionDescription string }

func (out *describeContributorInsightsOutput) AppendJSON(dst []byte) []byte {
	return wire.AppendMarshaled(dst, out)
}

// insightsQuota describes the failure of contributor insights that exceed the quota of rules.
const insightsQuota = "Amazon CloudWatch Contributor Insights rule limit reached. Please disable Contributor " +
	"Insights for other tables/indexes OR disable other CloudWatch Contributor Insights rules before retrying."

// DescribeContributorInsights describes the contributor insights of a table or a global index. Once disabled they have
// no rules and keep their mode; they show a failure until they are disabled. (aws-controllers-k8s/dynamodb-controller,
// 2026-10-08.)
func DescribeContributorInsights(req *engine.Request,
	in *DescribeContributorInsightsInput) (*describeContributorInsightsOutput, error) {
	out := &describeContributorInsightsOutput{TableName: *in.TableName, IndexName: wire.OrZero(in.IndexName),
		ContributorInsightsStatus: "DISABLED"}
	t, err := req.Account.NamedTable(*in.TableName)
	if err != nil {
		if in.IndexName == nil && control.TransitionOf(req.Account, *in.TableName) != nil {
			return out, nil // the table is being created or deleted
		}
		return nil, err
	}
	subject, err := findInsightsSubject(t, in.IndexName)
	if err != nil || subject.insights == nil {
		return out, err
	}
	out.ContributorInsightsStatus, out.LastUpdateDateTime = insightsStatus(subject.insights, req.Engine.Now())
	out.ContributorInsightsMode = subject.insights.Mode
	switch {
	case out.ContributorInsightsStatus == "ENABLING", out.ContributorInsightsStatus == "DISABLED":
	case subject.insights.Failed:
		out.FailureException = &insightsFailure{"LimitExceededException", insightsQuota}
	default:
		out.ContributorInsightsRuleList = InsightRuleNames(t.Def.Name, subject.keys, subject.insights)
	}
	return out, nil
}

func (in *DescribeContributorInsightsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: wire.OrZero(in.TableName), Index: wire.OrZero(in.IndexName)})
}
