package people

import (
	"context"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// wish is a person's preferences from a time on.
type wish struct {
	from  time.Time
	zone  *time.Location
	quiet [24]bool // by local hour
	off   map[notification.Category]bool
}

// defaults returns the preferences of a person who has set none.
func defaults() wish {
	return wish{zone: time.UTC, quiet: between(22, 7), off: map[notification.Category]bool{}}
}

// between returns the quiet hours from one hour to another.
func between(from, to int) (quiet [24]bool) {
	for hour := from; hour != to; hour = (hour + 1) % 24 {
		quiet[hour] = true
	}
	return quiet
}

// sleeps returns the quiet hours that people choose: early, late, by day, long, never and always.
func sleeps() [][24]bool {
	always := between(0, 23)
	always[23] = true
	return [][24]bool{between(22, 7), between(0, 9), between(20, 5), between(8, 16), between(19, 11), {}, always}
}

// zones returns the time zones that people choose: some are off by half an hour, and some change to summer time in
// March.
func zones() []string {
	return []string{
		"UTC", "Europe/Berlin", "America/New_York", "America/Los_Angeles", "Asia/Kolkata", "Asia/Tokyo",
		"Australia/Lord_Howe",
		"America/St_Johns", "Pacific/Auckland", "Asia/Kathmandu", "Africa/Cairo", "America/Sao_Paulo",
	}
}

// insistent reports whether a category ignores all preferences.
func insistent(c notification.Category) bool {
	return c == notification.Safety || c == notification.Security
}

// change changes the person's preferences from now on.
func (p *person) change(ctx context.Context, d Deed) (err error) {
	w := p.wishes[len(p.wishes)-1]
	w.off = map[notification.Category]bool{}
	for c, off := range p.wishes[len(p.wishes)-1].off {
		w.off[c] = off
	}
	switch d.Kind {
	case Fly:
		if w.zone, err = time.LoadLocation(zones()[d.Choice%uint64(len(zones()))]); err != nil {
			return err
		}
	case Sleep:
		w.quiet = sleeps()[d.Choice%uint64(len(sleeps()))]
	default:
		c := []notification.Category{notification.Social, notification.News, notification.Marketing}[d.Choice%3]
		w.off[c] = !w.off[c]
	}
	w.from = p.run.now()
	in := map[string]any{"timezone": w.zone.String(), "quietHours": w.quiet, "categories": map[string]bool{
		"social": !w.off[notification.Social], "news": !w.off[notification.News], "marketing": !w.off[notification.Marketing],
	}}
	p.wishes = append(p.wishes, w)
	_, err = p.caller.Call(ctx, sim.Call{Method: http.MethodPut, Path: "/notification/preferences", In: in})
	return err
}

// during returns the preferences in force at some point between two times: at the time of a change, both count.
func (p *person) during(from, to time.Time) []wish {
	var first int
	for i, w := range p.wishes {
		if w.from.Before(from) {
			first = i
		}
	}
	all := p.wishes[first : first+1]
	for _, w := range p.wishes[first+1:] {
		if !w.from.After(to) {
			all = append(all[:len(all):len(all)], w)
		}
	}
	return all
}

// some reports whether ask is true for at least one of the wishes.
func some(wishes []wish, ask func(wish) bool) bool {
	for _, w := range wishes {
		if ask(w) {
			return true
		}
	}
	return false
}

func (w wish) asleep(at time.Time) bool { return w.quiet[at.In(w.zone).Hour()] }

// deaf reports whether every hour is quiet.
func (w wish) deaf() bool {
	for _, quiet := range w.quiet {
		if !quiet {
			return false
		}
	}
	return true
}

func (w wish) mutes(c notification.Category) bool { return w.off[c] && !insistent(c) }
