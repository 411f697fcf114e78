package insights

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// ListContributorInsightsInput requests a page of contributor insights: of one table and its indexes, or of all tables.
type ListContributorInsightsInput struct {
	TableName  *string
	NextToken  *string
	MaxResults *int32 `check:"max=100"`
}

func (in *ListContributorInsightsInput) Decode(d *wire.Decoder) error {
	return d.NamedShape(in, &in.TableName)
}

func (in *ListContributorInsightsInput) Check() error {
	if in.TableName != nil {
		if err := control.CheckTableName(in.TableName); err != nil {
			return err
		}
	}
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	_, _, err := in.start()
	return err
}

// start returns the table and the index after which the page begins. Error: the token is not one of ours; the words are
// ours.
func (in *ListContributorInsightsInput) start() (table, index string, err error) {
	if in.NextToken == nil {
		return "", "", nil
	}
	text, err := base64.RawURLEncoding.DecodeString(*in.NextToken)
	table, index, ok := strings.Cut(string(text), "/")
	if err != nil || !ok || !shape.IsName(table) {
		return "", "", wire.ParameterError("Invalid NextToken")
	}
	return table, index, nil
}

// contributorInsightsSummary is an element of the list.
type contributorInsightsSummary struct {
	TableName                 string
	IndexName                 string `json:",omitempty"`
	ContributorInsightsStatus string
	ContributorInsightsMode   string `json:",omitempty"`
}

type listContributorInsightsOutput struct {
	ContributorInsightsSummaries []contributorInsightsSummary
	NextToken                    string `json:",omitempty"`
}

func (out *listContributorInsightsOutput) AppendJSON(dst []byte) []byte {
	return wire.AppendMarshaled(dst, out)
}

// maxListedInsights is the most elements of one response.
const maxListedInsights = 100

// ListContributorInsights lists the tables and global indexes whose contributor insights are not disabled, sorted by
// table, each before its indexes. (aws-controllers-k8s/dynamodb-controller, 2026-10-09.)
func ListContributorInsights(req *engine.Request,
	in *ListContributorInsightsInput) (*listContributorInsightsOutput, error) {
	tables := *req.Account.Tables.Load()
	if in.TableName != nil {
		t, err := req.Account.NamedTable(*in.TableName)
		if err != nil {
			return nil, err
		}
		tables = map[string]*engine.Table{t.Def.Name: t}
	}
	if err := req.Budget().Step(engine.SortStepsPerName * len(tables)); err != nil {
		return nil, err
	}
	all := summarizeInsights(tables, req.Engine.Now())
	table, index, err := in.start()
	if err != nil {
		return nil, err
	}
	if in.NextToken != nil {
		all = slices.DeleteFunc(all, func(s contributorInsightsSummary) bool {
			return s.compare(contributorInsightsSummary{TableName: table, IndexName: index}) <= 0
		})
	}
	limit := maxListedInsights
	if in.MaxResults != nil && *in.MaxResults > 0 {
		limit = int(*in.MaxResults)
	}
	out := &listContributorInsightsOutput{ContributorInsightsSummaries: all[:min(limit, len(all))]}
	if limit < len(all) {
		out.NextToken = base64.RawURLEncoding.EncodeToString([]byte(all[limit-1].TableName + "/" + all[limit-1].IndexName))
	}
	return out, nil
}

func (s contributorInsightsSummary) compare(other contributorInsightsSummary) int {
	return cmp.Or(cmp.Compare(s.TableName, other.TableName), cmp.Compare(s.IndexName, other.IndexName))
}

// summarizeInsights returns the list's elements for some tables, sorted.
func summarizeInsights(tables map[string]*engine.Table, now float64) []contributorInsightsSummary {
	all := []contributorInsightsSummary{}
	add := func(table, index string, c *engine.ContributorInsights) {
		if status, _ := insightsStatus(c, now); status != "DISABLED" {
			all = append(all, contributorInsightsSummary{table, index, status, c.Mode})
		}
	}
	for name, t := range tables {
		add(name, "", t.Def.Insights)
		for _, x := range t.Def.Global {
			add(name, x.Name, x.Insights)
		}
	}
	slices.SortFunc(all, contributorInsightsSummary.compare)
	return all
}

func (in *ListContributorInsightsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: wire.OrZero(in.TableName)})
}
