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

// all reads a list to its last page.
func (b *brewer) all(ctx context.Context, path, name string) ([]thing, error) {
	var everything []thing
	path, asked, _ := strings.Cut(path, "?")
	query, err := url.ParseQuery(asked)
	if err != nil {
		return nil, err
	}
	query.Set("limit", pageSize)
	for {
		page, _, err := b.call(ctx, http.MethodGet, path+"?"+query.Encode(), nil)
		if err != nil {
			return nil, err
		}
		everything = append(everything, objects(page[name])...)
		cursor, _ := page["nextCursor"].(string)
		if cursor == "" {
			return everything, nil
		}
		query.Set("cursor", cursor)
	}
}

// objects returns the members of a JSON list.
func objects(list any) []thing {
	var all []thing
	members, _ := list.([]any)
	for _, m := range members {
		if one, ok := m.(thing); ok {
			all = append(all, one)
		}
	}
	return all
}

// field returns a function that reads a text field of a thing, for sim.Compare.
func field(name string) func(thing) string {
	return func(t thing) string {
		text, _ := t[name].(string)
		return text
	}
}

// lookBack compares the timeline of a batch with what its brewer knows.
func (b *brewer) lookBack(ctx context.Context, d Deed) error {
	at := b.batches[d.Batch]
	got, _, err := b.call(ctx, http.MethodGet, "/batches/"+at.id+"/timeline", nil)
	if err != nil {
		return err
	}
	l := b.town.ledger
	sim.Compare(l, "batch in a timeline", timelines, map[string]thing{at.id: at.want}, []thing{got["batch"].(thing)},
		field("batchId"))
	if n := len(objects(got["events"])); n != min(len(at.events), newest) {
		l.Fault(sim.Lost, "the timeline of batch %s has %d of %d events", at.id, n, len(at.events))
	}
	return nil
}

const newest = 20 // events in a timeline, as documented

// lookAhead compares the list of upcoming reminders with those that the brewer knows to be pending.
func (b *brewer) lookAhead(ctx context.Context, _ Deed) error {
	got, err := b.all(ctx, "/reminders/upcoming", "reminders")
	if err != nil {
		return err
	}
	if !b.town.clock.Moves() { // otherwise due or not is a matter of milliseconds
		return nil
	}
	want := map[string]thing{}
	week := stamp(b.town.clock.Now().Add(7 * 24 * time.Hour))
	for _, r := range b.reminders {
		if r.want["status"] == "pending" && !r.due && r.want["dueAt"].(string) <= week {
			want[r.id] = r.want
		}
	}
	sim.Compare(b.town.ledger, "upcoming reminder", timelines, want, got, field("reminderId"))
	if !slices.IsSortedFunc(got, func(x, y thing) int { return compareText(x["dueAt"], y["dueAt"]) }) {
		b.town.ledger.Fault(sim.Changed, "the upcoming reminders of %s are not in order", b.plan.UserID)
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

// peek reads a stranger's batch, as anyone may: it is found if it is public, and otherwise as if it did not exist.
func (b *brewer) peek(ctx context.Context, d Deed) error {
	t := b.town
	r := sim.Dice(uint64(d.At), uint64(len(b.plan.Deeds)))
	stranger := t.brewers[r.IntN(len(t.brewers))]
	if len(stranger.plan.Batches) == 0 || stranger == b {
		return nil
	}
	n := r.IntN(len(stranger.plan.Batches))
	public, note, sure := stranger.plan.shown(n, d.At)
	if !sure {
		return nil
	}
	id := stranger.batches[n].id
	got, _, err := b.call(ctx, http.MethodGet, "/public/batches/"+id, nil)
	switch status := sim.Status(err); {
	case err != nil && status != http.StatusNotFound:
		return err
	case (err == nil) != public:
		t.ledger.Fault(Shown, "batch %s of %s: public is %v, and reading it returned %v", id,
			stranger.plan.UserID, public, err)
	case public && (got["publicNote"] != note || got["userId"] != nil):
		t.ledger.Fault(Shown, "batch %s of %s: the stranger read %v", id, stranger.plan.UserID, got)
	}
	_, _, err = b.call(ctx, http.MethodGet, "/batches/"+id, nil)
	if sim.Status(err) != http.StatusNotFound {
		t.ledger.Fault(Shown, "batch %s of %s: a stranger's read of the private view returned %v", id,
			stranger.plan.UserID, err)
	}
	return nil
}

// Shown is the fault of something that strangers could read, or could not, wrongly.
const Shown = "wrong visibility to strangers"

// shown reports whether a batch is public at this time, and with which note. sure is false for a batch that does not
// exist yet or that its owner is changing at the same time.
func (p Plan) shown(batch int, at time.Duration) (public bool, note string, sure bool) {
	for _, d := range p.Deeds {
		switch {
		case d.Batch != batch || d.At > at:
		case d.At == at && (d.Kind == Start || d.Kind == Share || d.Kind == Unshare):
			return false, "", false
		case d.Kind == Start:
			sure = true
		case d.Kind == Share:
			public, note = true, d.Text
		case d.Kind == Unshare:
			public = false
		}
	}
	return public, note, sure
}
