package notification

import (
	"strings"
	"time"
	_ "time/tzdata" // the zones are the same wherever the program runs

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// QuietHours holds, for each local hour from 0 to 23, whether pushes wait (NT-R6, NT-D1: true means quiet).
type QuietHours [24]bool

// defaultQuietHours is quiet from 22:00 to 07:00: the document's default, of which its sample array is the inverse
// (NT-D1).
func defaultQuietHours() QuietHours {
	var q QuietHours
	for hour := range q {
		q[hour] = hour >= 22 || hour < 7
	}
	return q
}

// searchLimit is how far ahead until searches for the end of quiet hours: within more than a week, no change of a zone
// can hide an hour that is not quiet.
const searchLimit = 8 * 24 * time.Hour

// until returns when the quiet hours around t end: t itself if t is not quiet, and false if they never end. Local hours
// are those of the wall clock: an hour that daylight saving skips does not occur, and one that it repeats occurs twice.
func (q QuietHours) until(t time.Time, zone *time.Location) (time.Time, bool) {
	for end := t.Add(searchLimit); t.Before(end); t = nextHour(t, zone) {
		if !q[t.In(zone).Hour()] {
			return t, true
		}
	}
	return time.Time{}, false
}

// nextHour returns the next time at which the wall clock of a zone may show another hour: its next full hour, or the
// zone's next change of offset if that is earlier.
func nextHour(t time.Time, zone *time.Location) time.Time {
	local := t.In(zone)
	elapsed := time.Duration(local.Minute())*time.Minute + time.Duration(local.Second())*time.Second +
		time.Duration(local.Nanosecond())
	next := t.Add(time.Hour - elapsed)
	if _, change := local.ZoneBounds(); !change.IsZero() && change.Before(next) {
		next = change
	}
	return next
}

var zonePattern = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$`)

// location returns the zone of a name. It refuses names that Go or the system's files add to the IANA database: Local,
// and the directories posix and right, the latter of which counts leap seconds.
func (z Timezone) location() (*time.Location, error) {
	name := string(z)
	first, _, _ := strings.Cut(name, "/")
	switch strings.ToLower(first) {
	case "local", "localtime", "posix", "posixrules", "right", "factory":
		return nil, errTimezone
	}
	if len(name) > 64 || !zonePattern.MatchString(name) {
		return nil, errTimezone
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, errTimezone
	}
	return zone, nil
}

// quietUntil returns when a push at now may be sent: now itself outside quiet hours, and false if it is always quiet.
// Zones are validated when they are written; a zone that is no longer known counts as UTC.
func (p Preferences) quietUntil(now time.Time) (time.Time, bool) {
	zone, err := p.Timezone.location()
	if err != nil {
		zone = time.UTC
	}
	return p.QuietHours.until(now, zone)
}
