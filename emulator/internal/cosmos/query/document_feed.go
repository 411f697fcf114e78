package query

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/chunked"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// feedInput is the input of a page of items.
type feedInput struct {
	namedRange
	size        int // number of items; 0: as many as fit
	consistency operation.ReadConsistency
	token       string // the continuation; empty: from the beginning
	binary      bool
}

func readFeed(r *operation.Request, container *engine.Container) (in feedInput, err *wire.Error) {
	if in.namedRange, err = readRange(r, container); err != nil {
		return in, err
	}
	if in.size, err = r.PageSize(); err != nil {
		return in, err
	}
	if err = r.CheckFormat(); err != nil {
		return in, err
	}
	in.token = r.Header("X-Ms-Continuation")
	// A feed is binary only on request, not if the client just lists the format as supported (HeadersValidationTests of
	// the .NET SDK).
	in.binary = strings.EqualFold(r.Header("X-Ms-Documentdb-Content-Serialization-Format"), wire.FormatBinary)
	in.consistency, err = r.ReadConsistency(container)
	return in, err
}

// documentFeed builds a page of items.
type documentFeed struct {
	*operation.Run
	feedInput
	def  *engine.Definition
	now  int64 // in Unix seconds
	body []byte
	n    int
	more bool  // the page ends before the feed does
	err  error // why the page must end: the limit of its work is reached, or the client is gone
}

// maxFeedSteps limits the work for one page: it reads at most 32 MiB of items, and 65,536 of them. A page that skips
// items of other partitions, or older ones, ends there, maybe empty, and its continuation goes on from there.
const maxFeedSteps = 2 << 20

// itemSteps is the work of reading an item of no size.
const itemSteps = 32

// newDocumentFeed starts a page.
func newDocumentFeed(r *operation.Run, in feedInput) (*documentFeed, *wire.Error) {
	if err := r.ChooseReplica(in.consistency); err != nil {
		return nil, err
	}
	var parts []*engine.Partition
	for _, p := range r.Container.Partitions() {
		if !doc.Intersect(in.span, p.EPKRange).Empty() {
			parts = append(parts, p)
		}
	}
	if err := r.AdmitPartitions(parts...); err != nil {
		return nil, err
	}
	r.Work = budget.New(r.Ctx, budget.Limits{Steps: maxFeedSteps, Pool: r.Account.Pool})
	f := &documentFeed{Run: r, feedInput: in, def: r.Container.Definition.Load(), now: r.Account.Now().Unix()}
	f.body = append(append(append(r.Buffers.Out[:0], `{"_rid":"`...), r.Container.RID...), `","Documents":[`...)
	return f, nil
}

// holds reports whether the feed includes an item.
func (f *documentFeed) holds(i *engine.Item) bool {
	return !i.Expired(f.def.DefaultTTL, f.now) && f.spans(i)
}

// spans reports whether an item is in the part of the container to read.
func (f *documentFeed) spans(i *engine.Item) bool {
	return f.span.Contains(i.EPK) && f.shared.ofItem(i)
}

// full reports whether the page takes no more items.
func (f *documentFeed) full() bool {
	return f.size > 0 && f.n >= f.size || len(f.body) >= operation.MaxResponseBytes
}

// endsBefore reports whether the page ends before an item, which the feed includes if held is set.
func (f *documentFeed) endsBefore(held bool) bool { return f.err != nil || held && f.full() }

// add adds an item, which write appends.
func (f *documentFeed) add(write func(dst []byte) []byte) {
	if f.n > 0 {
		f.body = append(f.body, ',')
	}
	before := len(f.body)
	f.body = write(f.body)
	f.body = roomForAnother(f.body, len(f.body)-before)
	f.n++
	f.err = f.Work.Step(1 + (len(f.body)-before)/16)
}

// count counts the work of reading an item.
func (f *documentFeed) count(i *engine.Item) { f.err = f.Work.Step(itemSteps + i.Size()/16) }

// finish returns the error of reading a page, whose limit on work is none: the next page continues.
func (f *documentFeed) finish(readErr error) *wire.Error {
	if readErr == nil && !errors.Is(f.err, budget.ErrSteps) {
		readErr = f.err
	}
	return f.Internal(readErr)
}

// roomForAnother returns a page with space for a row of a size in bytes. It doubles the page; append would add a
// quarter.
func roomForAnother(page []byte, row int) []byte {
	if cap(page)-len(page) <= row {
		return chunked.Grow(page, len(page))
	}
	return page
}

// reply replies with the page.
func (f *documentFeed) reply(lsn uint64) {
	f.Charge = chargeFeed(f.n)
	f.SetPartitionHeaders(f.span.Low, lsn)
	f.Out.Status = http.StatusOK
	f.Buffers.Out = append(doc.Append(append(f.body, `],"_count":`...), doc.Number(float64(f.n))), '}')
	f.Out.Body = f.Buffers.Out
	f.Out.Set("x-ms-item-count", strconv.Itoa(f.n))
}

// chargeFeed returns the charge of a page of a feed. A live account charged 34.72 RU for 2500 small items in one page
// in October 2026, and 1 RU, the minimum, for one item.
func chargeFeed(items int) float64 { return max(1, 0.0139*float64(items)) }

// ofOnePartition reports whether the feed is of a single logical partition.
func (f *documentFeed) ofOnePartition() bool {
	return len(f.key) > 0 && len(f.key) == len(f.def.Key.Paths)
}

// itemIndex returns the index for PartitionRIDs, if the feed can use it on the replica's state: an index filled from a
// newer state lacks the entries of that state.
func (f *documentFeed) itemIndex() (*index.Index, error) {
	if !f.ofOnePartition() {
		return nil, nil
	}
	x, err := f.Container.AdvanceItemIndex(f.Ctx, f.Account.Pool)
	if f.Pin(); x == nil || !f.Moment.Includes(x.BuiltAt) {
		return nil, err
	}
	return x, nil
}

// eachInOrder visits items with rids above after, in creation order, until visit returns false. It finds the items of a
// single logical partition by their rids, and scans all items otherwise.
func (f *documentFeed) eachInOrder(v *lag.View, x *index.Index, after uint64, visit func(*engine.Item) bool) error {
	if !f.ofOnePartition() {
		return f.Container.EachItem(v, after, visit)
	}
	rids := f.Container.PartitionRIDs(v, x, f.key)
	for more := true; more; {
		next, err := rids.After(after)
		if err != nil || len(next) == 0 {
			return err
		}
		if err := f.Container.EachOf(v, next, func(i *engine.Item) bool {
			more = visit(i)
			return more
		}); err != nil {
			return err
		}
		after = next[len(next)-1]
	}
	return nil
}
