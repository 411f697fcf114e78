package pointintime

import (
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// maxBuckets is the number of equal parts of time in which changes are counted.
const maxBuckets = 200

// Counts are the moments that can be read, and the changes in equal parts of a range of them.
type Counts struct {
	Earliest string `json:"earliest"`
	Latest   string `json:"latest"`
	// Counted is the moment up to which changes are counted: the end of the range, unless a request does not do so much
	// work.
	Counted string   `json:"counted"`
	Buckets []Bucket `json:"buckets"`
}

// Bucket counts the changes from one moment to another, without the latter, except in the last bucket.
type Bucket struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Puts    int64  `json:"puts"` // items that were put or updated
	Deletes int64  `json:"deletes"`
}

// Count counts the changes between two moments.
func (m Moments) Count(r *store.Reader, log *changelog.Log, from, to changelog.Position, work *budget.Budget,
	bounds Bounds) (*Counts, error) {
	c := &Counts{Earliest: TimeText(m.Earliest), Latest: TimeText(m.Latest), Counted: TimeText(to), Buckets: []Bucket{}}
	if from == to {
		return c, nil
	}
	width := (to - from + maxBuckets - 1) / maxBuckets
	for at := from; at < to; at += width {
		c.Buckets = append(c.Buckets, Bucket{From: TimeText(at), To: TimeText(min(to, at+width))})
	}
	return c, log.Read(r, from, to, false, func(p changelog.Position, record changelog.Record) (bool, error) {
		if bounds.Spent(work) {
			c.Counted = TimeText(p - 1)
			return false, nil
		}
		if b := &c.Buckets[min(int((p-from)/width), len(c.Buckets)-1)]; record.Kind == changelog.Remove {
			b.Deletes++
		} else {
			b.Puts++
		}
		return true, work.Step(recordSteps(&record))
	})
}
