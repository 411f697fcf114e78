package cosmos

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

func sealing() *Service { return &Service{keys: [][]byte{[]byte("a key of the account")}} }

func aContinuation() *continuation {
	return &continuation{container: "AAAAAoAAAAE=", query: [8]byte{1, 2, 3}, pending: []pending{
		{span{nil, doc.EPK{0x1F}}, []byte("state")}, {span{doc.EPK{0x1F}, doc.MaxEPK()}, nil},
	}}
}

func TestAContinuationIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	s := sealing()
	token := s.seal(aContinuation())
	ct, err := s.open(token)
	if err != nil {
		t.Fatal(err)
	}
	if s.seal(ct) != token || len(ct.pending) != 2 || string(ct.pending[0].state) != "state" {
		t.Errorf("%+v", ct)
	}
}

func TestForgedContinuationsAreFoundOut(t *testing.T) {
	t.Parallel()
	s := sealing()
	token := s.seal(aContinuation())
	forged := []string{"x", "!", strings.Repeat("A", 100), strings.Repeat("A", maxContinuation+4), `{"token":"-RID:~x#RT:1","range":{"min":"","max":"FF"}}`,
		(&Service{keys: [][]byte{[]byte("another key")}}).seal(aContinuation()), token + "AAAA"}
	for i := range len(token) {
		forged = append(forged, token[:i], token[:i]+string(token[i]^1)+token[i+1:])
	}
	for _, f := range forged {
		if ct, err := s.open(f); err == nil && s.seal(ct) != token {
			t.Errorf("%q was taken: %+v", f, ct)
		} else if err != nil && (err.Status != http.StatusBadRequest || err.Message != "Invalid Continuation Token") {
			t.Errorf("%q: %v", f, err)
		}
	}
}

// FuzzContinuation seals what the fuzzer makes, so that it gets behind the seal.
func FuzzContinuation(f *testing.F) {
	s := sealing()
	b, err := base64.RawURLEncoding.DecodeString(s.seal(aContinuation()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b[:len(b)-sealSize])
	f.Add([]byte{continuationVersion})
	f.Fuzz(func(t *testing.T, b []byte) {
		ct, err := s.open(base64.RawURLEncoding.EncodeToString(append(slices.Clone(b), s.sealOf(b)...)))
		if err != nil {
			return
		}
		again, err := s.open(s.seal(ct))
		if err != nil || len(again.pending) != len(ct.pending) {
			t.Fatalf("%+v %v", again, err)
		}
	})
}

// stored is an item of a container that a test only imagines.
type stored struct {
	epk doc.EPK
	rid uint64
}

// imagined is a container whose partitions split while a query pages through it.
type imagined struct {
	items []stored // by rid
	cuts  []doc.EPK
}

func (m *imagined) scopes(parts []span) []scope {
	all := []scope{}
	bounds := append(append([]doc.EPK{{}}, m.cuts...), doc.MaxEPK())
	for i := range len(bounds) - 1 {
		whole := scope{parts: parts}
		if s := whole.cut(span{bounds[i], bounds[i+1]}); len(s.parts) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// page reads up to size items, in the order of their creation within each partition.
func (m *imagined) page(t *traversal, size int) (rids []uint64, token string) {
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
	return rids, t.token()
}

// TestPagesOverSplits holds that a query reads each item once, whatever the size of its pages and whenever partitions split.
func TestPagesOverSplits(t *testing.T) {
	t.Parallel()
	s := sealing()
	d := doc.PartitionKeyDefinition{Paths: []string{"/pk"}, Version: 2}
	rapid.Check(t, func(t *rapid.T) {
		m := imagined{}
		for rid := range rapid.IntRange(1, 60).Draw(t, "items") {
			key := doc.PartitionKey{doc.Number(float64(rapid.IntRange(0, 20).Draw(t, "key")))}
			m.items = append(m.items, stored{d.EPK(key), uint64(rid) + 1})
		}
		parts := []span{everything()}
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
			tr := &traversal{service: s, container: "c"}
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
			slices.SortFunc(m.cuts, compareEPK)
			m.cuts = slices.CompactFunc(m.cuts, func(a, b doc.EPK) bool { return bytes.Equal(a, b) })
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("read %v of %v", got, want)
		}
	})
}

func keySpans(d *doc.PartitionKeyDefinition, keys []int) []span {
	parts := []span{}
	for _, k := range keys {
		low, high := d.Range(doc.PartitionKey{doc.Number(float64(k))})
		parts = append(parts, span{low, high})
	}
	slices.SortFunc(parts, func(a, b span) int { return bytes.Compare(a.low, b.low) })
	return parts
}

func TestAContinuationBelongsToItsQuery(t *testing.T) {
	t.Parallel()
	s := sealing()
	own := &traversal{service: s, container: "c", query: [8]byte{1}, left: []piece{{scope: scope{parts: []span{everything()}}}}}
	own.next()
	own.stop([]byte{1})
	token := own.token()
	parts := []scope{{parts: []span{everything()}}}
	for _, other := range []*traversal{
		{service: s, container: "d", query: [8]byte{1}},
		{service: s, container: "c", query: [8]byte{2}},
	} {
		if err := other.resume(token, parts); err == nil {
			t.Errorf("%s %v took it", other.container, other.query)
		}
	}
	again := &traversal{service: s, container: "c", query: [8]byte{1}}
	if err := again.resume(token, parts); err != nil {
		t.Error(err)
	}
}
