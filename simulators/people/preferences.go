package people

import (
	"context"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// preferences is a person's preferences from a time on.
type preferences struct {
	from            time.Time
	zone            *time.Location
	quiet           [24]bool // by local hour
	mutedCategories map[notification.Category]bool
}

// defaultPreferences returns the preferences of a person who has set none.
func defaultPreferences() preferences {
	return preferences{zone: time.UTC, quiet: hoursBetween(22, 7), mutedCategories: map[notification.Category]bool{}}
}

// hoursBetween returns the quiet hours from one hour to another.
func hoursBetween(from, to int) (quiet [24]bool) {
	for hour := from; hour != to; hour = (hour + 1) % 24 {
		quiet[hour] = true
	}
	return quiet
}

// quietHourChoices returns the quiet hours that people choose: early, late, by day, long, never and always.
func quietHourChoices() [][24]bool {
	always := hoursBetween(0, 23)
	always[23] = true
	return [][24]bool{hoursBetween(22, 7), hoursBetween(0, 9), hoursBetween(20, 5), hoursBetween(8, 16),
		hoursBetween(19, 11), {}, always}
}

// zoneChoices returns the time zones that people choose: some are off by half an hour, and some change to summer time
// in March.
func zoneChoices() []string {
	return []string{
		"UTC", "Europe/Berlin", "America/New_York", "America/Los_Angeles", "Asia/Kolkata", "Asia/Tokyo",
		"Australia/Lord_Howe",
		"America/St_Johns", "Pacific/Auckland", "Asia/Kathmandu", "Africa/Cairo", "America/Sao_Paulo",
	}
}

// urgent reports whether a category ignores all preferences.
func urgent(c notification.Category) bool {
	return c == notification.Safety || c == notification.Security
}

// changePreferences changes the person's preferences from now on.
func (p *person) changePreferences(ctx context.Context, d Action) (err error) {
	w := p.preferences[len(p.preferences)-1]
	w.mutedCategories = map[notification.Category]bool{}
	for c, off := range p.preferences[len(p.preferences)-1].mutedCategories {
		w.mutedCategories[c] = off
	}
	switch d.Kind {
	case ChangeZone:
		if w.zone, err = time.LoadLocation(zoneChoices()[d.Random%uint64(len(zoneChoices()))]); err != nil {
			return err
		}
	case ChangeQuietHours:
		w.quiet = quietHourChoices()[d.Random%uint64(len(quietHourChoices()))]
	default:
		c := []notification.Category{notification.Social, notification.News, notification.Marketing}[d.Random%3]
		w.mutedCategories[c] = !w.mutedCategories[c]
	}
	w.from = p.run.now()
	in := map[string]any{"timezone": w.zone.String(), "quietHours": w.quiet, "categories": map[string]bool{
		"social": !w.mutedCategories[notification.Social], "news": !w.mutedCategories[notification.News],
		"marketing": !w.mutedCategories[notification.Marketing],
	}}
	p.preferences = append(p.preferences, w)
	_, err = p.caller.Call(ctx, sim.Call{Method: http.MethodPut, Path: "/notification/preferences", In: in})
	return err
}

// preferencesBetween returns the preferences in force at some point between two times: at the time of a change, both
// count.
func (p *person) preferencesBetween(from, to time.Time) []preferences {
	var first int
	for i, w := range p.preferences {
		if w.from.Before(from) {
			first = i
		}
	}
	all := p.preferences[first : first+1]
	for _, w := range p.preferences[first+1:] {
		if !w.from.After(to) {
			all = append(all[:len(all):len(all)], w)
		}
	}
	return all
}

// anyPreferences reports whether matches is true for at least one of the preferences.
func anyPreferences(all []preferences, matches func(preferences) bool) bool {
	for _, w := range all {
		if matches(w) {
			return true
		}
	}
	return false
}

func (w preferences) quietAt(at time.Time) bool { return w.quiet[at.In(w.zone).Hour()] }

// alwaysQuiet reports whether every hour is quiet.
func (w preferences) alwaysQuiet() bool {
	for _, quiet := range w.quiet {
		if !quiet {
			return false
		}
	}
	return true
}

func (w preferences) mutes(c notification.Category) bool { return w.mutedCategories[c] && !urgent(c) }
