package brewers

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// pageSize is small, so that lists have several pages.
const pageSize = "7"

// readAll reads a list to its last page.
func (b *brewer) readAll(ctx context.Context, path, name string) ([]object, error) {
	var all []object
	path, rawQuery, _ := strings.Cut(path, "?")
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil, err
	}
	query.Set("limit", pageSize)
	for {
		page, _, err := b.call(ctx, http.MethodGet, path+"?"+query.Encode(), nil)
		if err != nil {
			return nil, err
		}
		all = append(all, objects(page[name])...)
		cursor, _ := page["nextCursor"].(string)
		if cursor == "" {
			return all, nil
		}
		query.Set("cursor", cursor)
	}
}

// objects returns the members of a JSON list.
func objects(list any) []object {
	var all []object
	members, _ := list.([]any)
	for _, m := range members {
		if one, ok := m.(object); ok {
			all = append(all, one)
		}
	}
	return all
}

// field returns a function that reads a text field of an object, for sim.Compare.
func field(name string) func(object) string {
	return func(t object) string {
		text, _ := t[name].(string)
		return text
	}
}

// readTimeline compares the timeline of a batch with what its brewer knows.
func (b *brewer) readTimeline(ctx context.Context, d Action) error {
	batch := b.batches[d.Batch]
	got, _, err := b.call(ctx, http.MethodGet, "/batches/"+batch.id+"/timeline", nil)
	if err != nil {
		return err
	}
	l := b.sim.ledger
	sim.Compare(l, "batch in a timeline", timelines, map[string]object{batch.id: batch.want},
		objects([]any{got["batch"]}), field("batchId"))
	if n := len(objects(got["events"])); n != min(len(batch.events), timelineEvents) {
		l.ReportFault(sim.Lost, "the timeline of batch %s has %d of %d events", batch.id, n, len(batch.events))
	}
	return nil
}

const timelineEvents = 20 // events in a timeline, as documented

// readUpcoming compares the list of upcoming reminders with those that the brewer knows to be pending.
func (b *brewer) readUpcoming(ctx context.Context, _ Action) error {
	got, err := b.readAll(ctx, "/reminders/upcoming", "reminders")
	if err != nil {
		return err
	}
	if !b.sim.clock.ControlsBackend() { // otherwise due or not is a matter of milliseconds
		return nil
	}
	want := map[string]object{}
	week := formatTime(b.sim.clock.Now().Add(7 * 24 * time.Hour))
	for _, r := range b.reminders {
		if r.want["status"] == "pending" && !r.fellDue && r.want["dueAt"].(string) <= week {
			want[r.id] = r.want
		}
	}
	sim.Compare(b.sim.ledger, "upcoming reminder", timelines, want, got, field("reminderId"))
	if !slices.IsSortedFunc(got, func(x, y object) int { return compareText(x["dueAt"], y["dueAt"]) }) {
		b.sim.ledger.ReportFault(sim.Changed, "the upcoming reminders of %s are not in order", b.plan.UserID)
	}
	return nil
}

func compareText(x, y any) int {
	a, _ := x.(string)
	b, _ := y.(string)
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// readStranger reads the batch of a stranger in the circle, as anyone may: it is found if it is public, and otherwise
// as if it did not exist.
func (b *brewer) readStranger(ctx context.Context, d Action) error {
	s := b.sim
	r := sim.NewRand(uint64(d.At), uint64(len(b.plan.Actions)))
	others := sim.OthersInCircle(b.number, s.cfg.Brewers)
	if len(others) == 0 {
		return nil
	}
	stranger := s.byNumber[sim.Pick(r, others)]
	if len(stranger.plan.Batches) == 0 {
		return nil
	}
	n := r.IntN(len(stranger.plan.Batches))
	public, note, certain := stranger.plan.publicAt(n, d.At)
	if !certain {
		return nil
	}
	id := stranger.batchID(n)
	got, _, err := b.call(ctx, http.MethodGet, "/public/batches/"+id, nil)
	switch status := sim.Status(err); {
	case err != nil && status != http.StatusNotFound:
		return err
	case (err == nil) != public:
		s.ledger.ReportFault(WrongVisibility, "batch %s of %s: public is %v, and reading it returned %v", id,
			stranger.plan.UserID, public, err)
	case public && (got["publicNote"] != note || got["userId"] != nil):
		s.ledger.ReportFault(WrongVisibility, "batch %s of %s: the stranger read %v", id, stranger.plan.UserID, got)
	}
	_, _, err = b.call(ctx, http.MethodGet, "/batches/"+id, nil)
	if sim.Status(err) != http.StatusNotFound {
		s.ledger.ReportFault(WrongVisibility, "batch %s of %s: a stranger's read of the private view returned %v", id,
			stranger.plan.UserID, err)
	}
	return nil
}

// batchID returns the id of a batch that exists. Other brewers may call it while the brewer starts another one.
func (b *brewer) batchID(batch int) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.batches[batch].id
}

// WrongVisibility is the fault of something that strangers could read, or could not, wrongly.
const WrongVisibility = "wrong visibility to strangers"

// publicAt reports whether a batch is public at this time, and with which note. certain is false for a batch that does
// not exist yet or that its owner is changing at the same time.
func (p Plan) publicAt(batch int, at time.Duration) (public bool, note string, certain bool) {
	for _, d := range p.Actions {
		switch {
		case d.Batch != batch || d.At > at:
		case d.At == at && (d.Kind == StartBatch || d.Kind == Share || d.Kind == Unshare):
			return false, "", false
		case d.Kind == StartBatch:
			certain = true
		case d.Kind == Share:
			public, note = true, d.Text
		case d.Kind == Unshare:
			public = false
		}
	}
	return public, note, certain
}
