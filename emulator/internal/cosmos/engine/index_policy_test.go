package engine

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// define parses a container definition with additional members.
func define(t *testing.T, members string) (*Definition, *wire.Error) {
	t.Helper()
	v, err := doc.Parse([]byte(`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}` + members + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return ParseDefinition(v)
}

func TestIndexingPoliciesAreReturnedWithDefaults(t *testing.T) {
	t.Parallel()
	const etag = `{"path":"/\"_etag\"/?"}`
	for _, c := range [][2]string{
		{``, `{"indexingMode":"consistent","automatic":true,"includedPaths":[{"path":"/*"}],"excludedPaths":[` + etag + `]}`},
		{`,"indexingPolicy":{"includedPaths":[{"path":"/a/?"}],"excludedPaths":[{"path":"/*"}]}`,
			`{"includedPaths":[{"path":"/a/?"}],"excludedPaths":[{"path":"/*"},` + etag +
				`],"indexingMode":"consistent","automatic":true}`},
		{`,"indexingPolicy":{"excludedPaths":[{"path":"/*"}]}`,
			`{"excludedPaths":[{"path":"/*"},` + etag + `],"indexingMode":"consistent","automatic":true,"includedPaths":[]}`},
		{`,"indexingPolicy":{"includedPaths":[{"path":"/*"},{"path":"/_etag/?"}]}`,
			`{"includedPaths":[{"path":"/*"},{"path":"/_etag/?"}],"indexingMode":"consistent","automatic":true}`},
		{`,"indexingPolicy":{"automatic":false,"indexingMode":"none"}`,
			`{"automatic":false,"indexingMode":"none","includedPaths":[],"excludedPaths":[]}`},
		{`,"indexingPolicy":{"includedPaths":[{"path":"/"}],"excludedPaths":[` + etag + `]}`,
			`{"includedPaths":[{"path":"/"}],"excludedPaths":[` + etag + `],"indexingMode":"consistent","automatic":true}`},
	} {
		d, err := define(t, c[0])
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		if got := d.Resource.Field("indexingPolicy").JSON(); got != c[1] {
			t.Errorf("%s\n\tis answered as %s\n\t          not %s", c[0], got, c[1])
		}
	}
}

func TestInvalidPoliciesAreRejected(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]string{
		`"indexingPolicy":{"includedPaths":[{"path":"/expiration"}]}`:                                  `The indexing path '/expiration' could not be accepted, failed near position '11'.`,
		`"indexingPolicy":{"includedPaths":[{"path":"/a-b/?"},{"path":"/*"}]}`:                         `failed near position '2'`,
		`"indexingPolicy":{"includedPaths":[{"path":"/a/?"}],"excludedPaths":[]}`:                      `The special mandatory indexing path \"/\" is not provided in any of the path type sets.`,
		`"indexingPolicy":{"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/*"}]}`:           `more than once`,
		`"indexingPolicy":{"indexingMode":"sometimes"}`:                                                `indexing mode`,
		`"indexingPolicy":{"compositeIndexes":[[{"path":"/a"}]]}`:                                      `at least 2`,
		`"indexingPolicy":{"compositeIndexes":[[{"path":"/a/*"},{"path":"/b"}]]}`:                      `could not be accepted`,
		`"indexingPolicy":{"compositeIndexes":[[{"path":"/a","order":"up"},{"path":"/b"}]]}`:           `ascending or descending`,
		`"indexingPolicy":{"spatialIndexes":[{"path":"/a/*","types":["Circle"]}]}`:                     `The spatial type 'Circle'`,
		`"indexingPolicy":{"vectorIndexes":[{"path":"/v","type":"flat"}]}`:                             `not matching in Embedding's path`,
		`"vectorEmbeddingPolicy":{"vectorEmbeddings":[` + vector("float32", "cosine", "0") + `]}`:      `dimensions`,
		`"vectorEmbeddingPolicy":{"vectorEmbeddings":[` + vector("float64", "cosine", "3") + `]}`:      `DataType`,
		`"vectorEmbeddingPolicy":{"vectorEmbeddings":[` + vector("float32", "taxi", "3") + `]}`:        `DistanceFunction`,
		`"fullTextPolicy":{"defaultLanguage":"tlh"}`:                                                   `language`,
		`"fullTextPolicy":{"defaultLanguage":"xx-YY","fullTextPaths":[]}`:                              `The Full Text Policy contains an unsupported language xx-YY. Supported languages are: \"en-US\"`,
		`"fullTextPolicy":{"defaultLanguage":"","fullTextPaths":[]}`:                                   `The Full Text Policy contains an unsupported language . Supported`,
		`"fullTextPolicy":{"defaultLanguage":"en-US","fullTextPaths":[{"path":"/t","language":null}]}`: `The Full Text Policy contains invalid syntax.`,
		`"fullTextPolicy":{"defaultLanguage":"en-US","fullTextPaths":[{"path":"abstract"}]}`:           `The Full Text Policy contains an invalid Path: abstract`,
		`"vectorEmbeddingPolicy":{"vectorEmbeddings":[` + vector("int8", "cosine", "3") + `,` + vector("int8", "cosine",
			"3") + `]}`: `Duplicate Path :/v found in Vector Embedding Policy.`,
		`"indexingPolicy":{"vectorIndexes":[{"path":"/v","type":"flat"},{"path":"/v","type":"diskANN"}]},"vectorEmbeddingPolicy":{"vectorEmbeddings":[` +
			vector("int8", "cosine", "3") + `]}`: `Duplicate Path :/v found in Vector Indexing Policy.`,
		`"indexingPolicy":{"fullTextIndexes":[{"path":"/t"}]}`:                                               `Full Text Policy`,
		`"fullTextPolicy":{"defaultLanguage":"en-US","fullTextPaths":[{"path":"/t","language":"en-US"},{}]}`: `could not be accepted`,
		`"indexingPolicy":{"vectorIndexes":[{"path":"/v","type":"flat"}]},"vectorEmbeddingPolicy":{"vectorEmbeddings":[` +
			vector("int8", "cosine", "506") + `]}`: `505`,
		`"indexingPolicy":{"spatialIndexes":[{"path":"/a/*"}]}`: `The spatial data types array cannot be empty. Assign at least one spatial type for the 'types' array for the path`,
		`"ttlPropertyPath":"/created"`:                          `must have a defaultTtl`,
	} {
		if _, err := define(t, ","+members); err == nil || err.Status != 400 || !strings.Contains(err.Message, want) {
			t.Errorf("%s: %v", members, err)
		}
	}
}

// TestInvalidComputedPropertiesAreRejected uses the messages that ContainerSettingsTests of the .NET SDK
// expects.
func TestInvalidComputedPropertiesAreRejected(t *testing.T) {
	t.Parallel()
	const lower = `"query":"SELECT VALUE LOWER(c.name) FROM c"`
	for members, want := range map[string]string{
		`{"name":"a",` + lower + `},{"name":"a",` + lower +
			`}`: `Computed property name 'a' cannot be used in multiple definitions.`,
		`{` + lower + `}`:           `One of the specified inputs is invalid`,
		`{"name":"a"}`:              `One of the specified inputs is invalid`,
		`{"name":"",` + lower + `}`: `Computed property 'name' is either empty or unspecified.`,
		`{"name":"a","query":""}`:   `Computed property 'query' is either empty or unspecified.`,
		`{"name":"id",` + lower +
			`}`: `The system property name 'id' cannot be used as a computed property name.`,
		`{"name":"spot",` + lower +
			`}`: `Computed property 'spot' at index (0) has a spatial index. Remove the spatial index on this path.`,
		`{"name":"a","query":"SELECT LOWER(c.name) FROM c"}`: `Required VALUE expression missing from computed property query 'SELECT LOWER(c.name) FROM c' at index (0).`,
		`{"name":"a","query":"SELECT LOWER(c.name) FROM r"}`: `Computed property at index (0) has a malformed query: 'SELECT LOWER(c.name) FROM r' Error details: '` +
			`{"errors":[{"severity":"Error","code":2001,"message":"Identifier 'c' could not be resolved."}]}'`,
	} {
		_, err := define(t,
			`,"indexingPolicy":{"spatialIndexes":[{"path":"/spot/*","types":["Point"]}]},"computedProperties":[`+members+`]`)
		if err == nil || err.Status != 400 || err.Message != "Message: "+wire.ErrorsText(want) {
			t.Errorf("%s: %v", members, err)
		}
	}
}

// TestDefinitionsGetDefaults checks the defaults that the same tests expect.
func TestDefinitionsGetDefaults(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`,"indexingPolicy":{"spatialIndexes":[{"path":"/a/*","types":["LineString"]}]}`:                        `"types":["LineString","Point","Polygon","MultiPolygon"]`,
		`,"conflictResolutionPolicy":{"mode":"Custom","conflictResolutionProcedure":"dbs/a/colls/b/sprocs/c"}`: `"conflictResolutionPolicy":{"mode":"Custom","conflictResolutionProcedure":"dbs/a/colls/b/sprocs/c","conflictResolutionPath":""}`,
		`,"conflictResolutionPolicy":{"mode":"LastWriterWins"}`:                                                `"conflictResolutionPath":"/_ts","conflictResolutionProcedure":""`,
		`,"ttlPropertyPath":"/created","defaultTtl":10`:                                                        `"ttlPropertyPath":"/created","defaultTtl":10`,
	} {
		if d, err := define(t, given); err != nil || !strings.Contains(d.Resource.JSON(), want) {
			t.Errorf("%s: %v", given, err)
		}
	}
}

func vector(dataType, distance, dimensions string) string {
	return `{"path":"/v","dataType":"` + dataType + `","distanceFunction":"` + distance + `","dimensions":` +
		dimensions + `}`
}

func TestMostPrecisePathDecidesIndexing(t *testing.T) {
	t.Parallel()
	d, err := define(
		t, `,"indexingPolicy":{"includedPaths":[{"path":"/*"},{"path":"/food/ingredients/nutrition/*"},{"path":"/x/?"}],
		"excludedPaths":[{"path":"/food/ingredients/*"},{"path":"/x/*"}]},"computedProperties":[{"name":"cp","query":"SELECT VALUE c.a FROM c"}]`)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		"/a": true, "/a/[]": true, "/_etag": false, "/id": true, "/_ts": true, "/food": true, "/food/ingredients/x": false,
		"/food/ingredients/nutrition/fat": true, "/x": true, "/x/y": false, "/cp": false,
	} {
		p, err := doc.ParseValuePath(path)
		if err != nil || d.Indexing.Includes(p.Steps) != want {
			t.Errorf("%s: not %t, %v", path, want, err)
		}
	}
}

func TestCompositeIndexesServeBothDirections(t *testing.T) {
	t.Parallel()
	parse := func(text string) (c index.Composite) {
		for part := range strings.SplitSeq(text, ",") {
			name, desc := strings.CutSuffix(part, "-")
			c = append(c, index.CompositePath{Steps: []doc.PathStep{{Name: name}}, Desc: desc})
		}
		return c
	}
	for _, c := range []struct {
		index, order string
		ok, reverse  bool
	}{
		{"name,age", "name,age", true, false}, {"name,age", "age,name", false, false}, {"name,age", "name-,age-", true, true},
		{"name,age", "name,age-", false, false}, {"name,age,ts", "name,age,ts", true, false},
		{"name,age,ts", "name,age", false, false},
		{"name-,age", "name,age-", true, true},
	} {
		if ok, reverse := parse(c.index).Matches(parse(c.order)); ok != c.ok || reverse != c.reverse {
			t.Errorf("(%s) for ORDER BY %s: %t, %t", c.index, c.order, ok, reverse)
		}
	}
}
