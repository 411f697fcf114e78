package datafile_test

import (
	"testing"

	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

func TestPartitionKeys(t *testing.T) {
	t.Parallel()
	document, err := datafile.ParseJSON([]byte(`{"id":"1","a":{"b":"ä\"🥛"},"n":1.50,"t":true,"z":null,"l":[]}`), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{[]string{"/a/b"}, `["\u00e4\"\ud83e\udd5b"]`},
		{[]string{"/n", "/t", "/z"}, `[1.50,true,null]`},
		{[]string{`/"a"/b`, "/id"}, `["\u00e4\"\ud83e\udd5b","1"]`},
		{[]string{"/l"}, "the partition key /l is not a string, number, true, false or null"},
		{[]string{"/a/x"}, "the document has no partition key /a/x"},
	} {
		key, err := datafile.PartitionKey(document, c.paths)
		got := datafile.PartitionKeyHeader(key)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.paths, got, c.want)
		}
	}
}
