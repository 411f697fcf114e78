package changelog

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRecordsSurviveStoring(t *testing.T) {
	t.Parallel()
	key, old, young := []byte("key"), bytes.Repeat([]byte("old"), 100), []byte{0}
	for _, r := range []Record{
		{Kind: Insert, Key: key},
		{Kind: Insert, Key: key, New: young},
		{Kind: Modify, Key: key, Old: old, New: young},
		{Kind: Remove, Key: key, Old: old, ByService: true},
		{Kind: Remove, Key: []byte{}},
		{Kind: Insert, Key: key, Author: AppendAuthor(nil, "arn:aws:iam::000000000000:user/ann", "PutItem")},
		{Kind: Modify, Key: key, Old: old, New: young, Author: AppendAuthor(nil, "ann", "")},
	} {
		got, err := decode(r.append(nil))
		if err != nil {
			t.Errorf("%v: %v", r, err)
		}
		if diff := cmp.Diff(r, got); diff != "" {
			t.Error(diff)
		}
	}
}

// TestRecordsAreCompact: the record of an insert without images is the key and two bytes.
func TestRecordsAreCompact(t *testing.T) {
	t.Parallel()
	r := Record{Kind: Insert, Key: []byte("0123456789")}
	if n := len(r.append(nil)); n != len(r.Key)+2 {
		t.Errorf("%d bytes for a key of %d", n, len(r.Key))
	}
}

func TestAuthorsSurviveStoring(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{{"ann", "PutItem"}, {"", "PutItem"}, {"ann", ""}, {strings.Repeat("a", 300), "x"}} {
		if user, operation := ReadAuthor(AppendAuthor(nil, c[0], c[1])); user != c[0] || operation != c[1] {
			t.Errorf("%q is read as %q and %q", c, user, operation)
		}
	}
	if user, operation := ReadAuthor(nil); user != "" || operation != "" {
		t.Errorf("no author is read as %q and %q", user, operation)
	}
}

func FuzzDecode(f *testing.F) {
	for _, r := range []Record{{Kind: Insert, Key: []byte("k")}, {Kind: Modify, Key: []byte("k"), Old: []byte("o"),
		New: []byte("n")}} {
		f.Add(r.append(nil))
	}
	f.Add((&Record{Kind: Insert, Key: []byte("k"), Author: AppendAuthor(nil, "ann", "PutItem")}).append(nil))
	f.Add([]byte{0x1e, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, value []byte) {
		r, err := decode(value)
		if err != nil {
			return
		}
		again, err := decode(r.append(nil))
		if err != nil || !bytes.Equal(again.Key, r.Key) || !bytes.Equal(again.Old, r.Old) || !bytes.Equal(again.New, r.New) ||
			again.Kind != r.Kind || !bytes.Equal(again.Author, r.Author) {
			t.Errorf("%x is read as %v, which is written and read as %v (%v)", value, r, again, err)
		}
	})
}
