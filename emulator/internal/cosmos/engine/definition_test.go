package engine

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// TestPartitionKeyVersions checks which hash version a container gets, and which version it returns, for each
// version a client may send.
func TestPartitionKeyVersions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asked, answered string
		version         int
	}{
		{`{"paths":["/a"]}`, `{"paths":["/a"],"kind":"Hash"}`, 1},
		{`{"paths":["/a"],"kind":"Hash","version":2}`, `{"paths":["/a"],"kind":"Hash","version":2}`, 2},
		{`{"paths":["/a"],"kind":"Hash","version":"V2"}`, `{"paths":["/a"],"kind":"Hash","version":2}`, 2},
		{`{"paths":["/a"],"kind":"Hash","version":"V1"}`, `{"paths":["/a"],"kind":"Hash","version":1}`, 1},
		{`{"paths":["/a","/b"]}`, `{"paths":["/a","/b"],"kind":"MultiHash","version":2}`, 2},
	} {
		v, err := doc.Parse([]byte(`{"id":"c","partitionKey":` + c.asked + `}`))
		if err != nil {
			t.Fatal(err)
		}
		d, refused := ParseDefinition(v)
		if refused != nil {
			t.Fatal(c.asked, refused)
		}
		if got := string(doc.Append(nil, d.Resource.Field("partitionKey"))); got != c.answered {
			t.Errorf("%s is answered as %s, not %s", c.asked, got, c.answered)
		}
		if d.Key.Version != c.version {
			t.Errorf("%s is hashed by version %d, not %d", c.asked, d.Key.Version, c.version)
		}
	}
}

// TestPartitionKeyPathLimits checks the error for a partition key with too many paths.
func TestPartitionKeyPathLimits(t *testing.T) {
	t.Parallel()
	v, err := doc.Parse([]byte(`{"id":"c","partitionKey":{"paths":["/a","/b","/c","/d"],"kind":"MultiHash","version":2}}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, refused := ParseDefinition(v); refused == nil || !strings.Contains(refused.Message,
		"Too many partition key paths (4) specified. A maximum of 3 is allowed.") {
		t.Error(refused)
	}
}
