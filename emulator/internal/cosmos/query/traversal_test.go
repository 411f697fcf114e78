package query

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/continuation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

func codec() *continuation.Codec { return continuation.NewCodec([]byte("a key of the account")) }

// stored is an item of an imagined container.
type stored struct {
	epk doc.EPK
	rid uint64
}

// simulatedPartitions is a fictitious container whose partitions split while a query pages through it.
type simulatedPartitions struct {
	items []stored // by rid
	cuts  []doc.EPK
}

func (m *simulatedPartitions) scopes(parts []doc.EPKRange) []scope {
	all := []scope{}
	bounds := append(append([]doc.EPK{{}}, m.cuts...), doc.MaxEPK())
	for i := range len(bounds) - 1 {
		whole := scope{parts: parts}
		if s := whole.intersect(doc.EPKRange{Low: bounds[i], High: bounds[i+1]}); len(s.parts) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// page reads up to size items, in creation order within each partition.
func (m *simulatedPartitions) page(t *traversal, size int) (rids []uint64, token string) {
	for p := t.next(); p != nil; p = t.next() {
		behind := uint64(0)
		if len(p.state) > 0 {
			behind = binary.BigEndian.Uint64(p.state)
		}
		for _, item := range m.items {
			if item.rid <= behind || !p.holds(item.epk) {
				continue
			}
			if len(rids) == size {
				t.stop(binary.BigEndian.AppendUint64(nil, behind))
				break
			}
			rids, behind = append(rids, item.rid), item.rid
		}
	}
	return rids, t.continuation()
}

// TestPagesContinueAcrossSplits checks that a query reads each item exactly once, whatever the size of its pages and
// whenever partitions split.
func TestPagesContinueAcrossSplits(t *testing.T) {
	t.Parallel()
	c := codec()
	d := doc.PartitionKeyDefinition{Paths: []string{"/pk"}, Version: 2}
	rapid.Check(t, func(t *rapid.T) {
		m := simulatedPartitions{}
		for rid := range rapid.IntRange(1, 60).Draw(t, "items") {
			key := doc.PartitionKey{doc.Number(float64(rapid.IntRange(0, 20).Draw(t, "key")))}
			m.items = append(m.items, stored{d.EPK(key), uint64(rid) + 1})
		}
		parts := []doc.EPKRange{doc.FullRange()}
		if rapid.Bool().Draw(t, "some keys only") {
			parts = keySpans(&d, rapid.SliceOfNDistinct(rapid.IntRange(0, 20), 1, 5, rapid.ID[int]).Draw(t, "keys"))
		}
		want := []uint64{}
		whole := scope{parts: parts}
		for _, item := range m.items {
			if whole.holds(item.epk) {
				want = append(want, item.rid)
			}
		}
		got, token := []uint64{}, ""
		for {
			tr := &traversal{pages: c, token: continuation.Token{Owner: "c"}}
			if err := tr.resume(token, m.scopes(parts)); err != nil {
				t.Fatal(err)
			}
			var rids []uint64
			rids, token = m.page(tr, rapid.IntRange(1, 10).Draw(t, "size"))
			got = append(got, rids...)
			if token == "" {
				break
			}
			m.cuts = append(m.cuts, d.EPK(doc.PartitionKey{doc.Number(float64(rapid.IntRange(0, 20).Draw(t, "cut")))}))
			slices.SortFunc(m.cuts, doc.CompareEPK)
			m.cuts = slices.CompactFunc(m.cuts, func(a, b doc.EPK) bool { return bytes.Equal(a, b) })
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("read %v of %v", got, want)
		}
	})
}

func keySpans(d *doc.PartitionKeyDefinition, keys []int) []doc.EPKRange {
	parts := []doc.EPKRange{}
	for _, k := range keys {
		low, high := d.Range(doc.PartitionKey{doc.Number(float64(k))})
		parts = append(parts, doc.EPKRange{Low: low, High: high})
	}
	slices.SortFunc(parts, func(a, b doc.EPKRange) int { return bytes.Compare(a.Low, b.Low) })
	return parts
}

func TestContinuationIsBoundToItsQuery(t *testing.T) {
	t.Parallel()
	c := codec()
	own := &traversal{pages: c, token: continuation.Token{Owner: "c", Query: [8]byte{1}},
		pieces: []piece{{scope: scope{parts: []doc.EPKRange{doc.FullRange()}}}}}
	own.next()
	own.stop([]byte{1})
	token := own.continuation()
	parts := []scope{{parts: []doc.EPKRange{doc.FullRange()}}}
	for _, other := range []*traversal{
		{pages: c, token: continuation.Token{Owner: "d", Query: [8]byte{1}}},
		{pages: c, token: continuation.Token{Owner: "c", Query: [8]byte{2}}},
	} {
		if err := other.resume(token, parts); err == nil {
			t.Errorf("%s %v took it", other.token.Owner, other.token.Query)
		}
	}
	again := &traversal{pages: c, token: continuation.Token{Owner: "c", Query: [8]byte{1}}}
	if err := again.resume(token, parts); err != nil {
		t.Error(err)
	}
}
