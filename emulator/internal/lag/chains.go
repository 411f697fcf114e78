package lag

import (
	"bytes"
	"iter"

	"github.com/RaduBerinde/btreemap"
)

// chains maps keys to their chains, in the order of the keys. It is an interface because [Overlay] has a field of it:
// otherwise every package that imports this one would compile the generic tree again.
type chains interface {
	Get(key []byte) (stored []byte, c chain, ok bool)
	ReplaceOrInsert(key []byte, c chain) (formerKey []byte, former chain, replaced bool)
	Delete(key []byte) (stored []byte, c chain, ok bool)
	// between returns the chains of the keys in [lo, hi). An empty bound means no bound.
	between(lo, hi []byte) iter.Seq2[[]byte, chain]
}

type tree struct {
	*btreemap.BTreeMap[[]byte, chain]
}

func newChains() chains { return tree{btreemap.New[[]byte, chain](16, bytes.Compare)} }

func (t tree) between(lo, hi []byte) iter.Seq2[[]byte, chain] {
	from, to := btreemap.Min[[]byte](), btreemap.Max[[]byte]()
	if len(lo) > 0 {
		from = btreemap.GE(lo)
	}
	if len(hi) > 0 {
		to = btreemap.LT(hi)
	}
	return t.Ascend(from, to)
}
