package notification

import (
	"regexp"
	"strings"
	"time"
	_ "time/tzdata" // the zones are the same wherever the program runs
)

// QuietHours say by local hour, 0 to 23, whether pushes wait (NT-R6, NT-D1: true means quiet).
type QuietHours [24]bool

// defaultQuiet is quiet from 22:00 to 07:00: the document's default, of which its sample array is the reverse (NT-D1).
func defaultQuiet() QuietHours {
	var q QuietHours
	for hour := range q {
		q[hour] = hour >= 22 || hour < 7
	}
	return q
}

// farthest is how far ahead an end of quiet is looked for: past a week no zone's change can hide an hour that is not
// quiet.
const farthest = 8 * 24 * time.Hour

// until is when the quiet around t ends: t itself when it is not quiet then, and false when it never ends. Local hours
// are those of the wall clock: an hour that daylight saving skips is not there, one that it repeats is there twice.
func (q QuietHours) until(t time.Time, zone *time.Location) (time.Time, bool) {
	for end := t.Add(farthest); t.Before(end); t = nextHour(t, zone) {
		if !q[t.In(zone).Hour()] {
			return t, true
		}
	}
	return time.Time{}, false
}

// nextHour is the next moment at which the wall clock of a zone may show another hour: its next full hour, or the
// zone's next change of offset, if that is before it.
func nextHour(t time.Time, zone *time.Location) time.Time {
	local := t.In(zone)
	gone := time.Duration(local.Minute())*time.Minute + time.Duration(local.Second())*time.Second + time.Duration(local.Nanosecond())
	next := t.Add(time.Hour - gone)
	if _, change := local.ZoneBounds(); !change.IsZero() && change.Before(next) {
		next = change
	}
	return next
}

var zoneForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$`)

// location is the zone of a name. Names that Go or a system's files know beside those of the database are refused:
// Local, and the folders posix and right, of which the last one counts leap seconds.
func (z Timezone) location() (*time.Location, error) {
	name := string(z)
	first, _, _ := strings.Cut(name, "/")
	switch strings.ToLower(first) {
	case "local", "localtime", "posix", "posixrules", "right", "factory":
		return nil, errTimezone
	}
	if len(name) > 64 || !zoneForm.MatchString(name) {
		return nil, errTimezone
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, errTimezone
	}
	return zone, nil
}

// quietUntil is when a push at now may go out, and false when it is quiet for ever: now itself when it is not quiet.
// Zones are checked when they are written; one that is not known here any more is taken for UTC.
func (p Preferences) quietUntil(now time.Time) (time.Time, bool) {
	zone, err := p.Timezone.location()
	if err != nil {
		zone = time.UTC
	}
	return p.QuietHours.until(now, zone)
}
