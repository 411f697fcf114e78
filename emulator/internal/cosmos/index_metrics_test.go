package cosmos

import (
	"encoding/base64"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
)

func TestIndexMetricsListUsedIndexes(t *testing.T) {
	t.Parallel()
	items := newTestService(t).newContainer(t, "things", withPolicy(t, testPolicy))
	fill(t, items, 3, 1)
	key := azcosmos.NewPartitionKeyString("0")
	for query, want := range map[string]string{
		"SELECT * FROM c WHERE c.n = 1": `{"UtilizedSingleIndexes":[{"FilterExpression":"(ROOT.n = 1)","IndexSpec":"/n/?","FilterPreciseSet":true,"IndexPreciseSet":true,"IndexImpactScore":"High"}],` +
			`"PotentialSingleIndexes":[],"UtilizedCompositeIndexes":[],"PotentialCompositeIndexes":[]}`,
		`SELECT * FROM c WHERE c.n > 0 AND c.mod = 1 OR false`: `{"UtilizedSingleIndexes":[],"PotentialSingleIndexes":[],"UtilizedCompositeIndexes":[],"PotentialCompositeIndexes":[]}`,
		`SELECT * FROM c ORDER BY c.mod, c.n DESC`: `{"UtilizedSingleIndexes":[],"PotentialSingleIndexes":[],"UtilizedCompositeIndexes":[{"IndexSpecs":["/mod ASC","/n DESC"],` +
			`"IndexPreciseSet":false,"IndexImpactScore":"High"}],"PotentialCompositeIndexes":[]}`,
	} {
		page, err := items.NewQueryItemsPager(query, key,
			&azcosmos.QueryOptions{PopulateIndexMetrics: true}).NextPage(t.Context())
		if err != nil || page.IndexMetrics == nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		if got, err := base64.StdEncoding.DecodeString(*page.IndexMetrics); err != nil || string(got) != want {
			t.Errorf("%s\n\t    %s\n\tnot %s", query, got, want)
		}
	}
	page, err := items.NewQueryItemsPager("SELECT * FROM c", key, nil).NextPage(t.Context())
	if err != nil || page.IndexMetrics != nil {
		t.Errorf("metrics that nobody asked for: %v, %v", page.IndexMetrics, err)
	}
}

func TestIndexMetricsSuggestIndexes(t *testing.T) {
	t.Parallel()
	items := newTestService(t)
	container := items.newContainer(t, "things", withPolicy(t, testPolicy))
	fill(t, container, 3, 1)
	q := &query.DocumentQuery{Run: &operation.Run{Account: items.Account}, Def: items.Catalog.Container("db-things",
		"things").Definition.Load()}
	for query, want := range map[string]string{
		`SELECT * FROM c WHERE c.n > 0 AND c.mod = 1 AND c.secret = 2`: `{"UtilizedIndexes":{"SingleIndexes":[{"IndexSpec":"/n/?"},{"IndexSpec":"/mod/?"}],"CompositeIndexes":[]},` +
			`"PotentialIndexes":{"SingleIndexes":[{"IndexSpec":"/secret/?"}],"CompositeIndexes":[{"IndexSpecs":["/mod ASC","/n ASC"]}]}}`,
		`SELECT * FROM c WHERE STARTSWITH(c["a b"], "x")`: `{"UtilizedIndexes":{"SingleIndexes":[{"IndexSpec":"/\"a b\"/?"}],"CompositeIndexes":[]},"PotentialIndexes":{"SingleIndexes":[],"CompositeIndexes":[]}}`,
		`SELECT * FROM c WHERE ARRAY_CONTAINS(c.tags, 1)`: `{"UtilizedIndexes":{"SingleIndexes":[{"IndexSpec":"/tags/[]/?"}],"CompositeIndexes":[]},"PotentialIndexes":{"SingleIndexes":[],"CompositeIndexes":[]}}`,
	} {
		q.Spec = querySpecOf(t, query)
		if err := q.Compile(); err != nil {
			t.Fatal(err)
		}
		if got := q.IndexMetrics().V2().JSON(); got != want {
			t.Errorf("%s\n\t    %s\n\tnot %s", query, got, want)
		}
	}
}
