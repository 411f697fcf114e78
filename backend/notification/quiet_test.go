package notification

import (
	"testing"
	"time"
)

// TestDefaultQuietHours checks that it is quiet from 22:00 to 07:00 (NT-D1).
func TestDefaultQuietHours(t *testing.T) {
	t.Parallel()
	for hour, quiet := range defaultQuietHours() {
		if want := hour == 22 || hour == 23 || hour <= 6; quiet != want {
			t.Errorf("%d:00: quiet %v, want %v", hour, quiet, want)
		}
	}
}

func hoursOnly(hours ...int) (q QuietHours) {
	for _, h := range hours {
		q[h] = true
	}
	return q
}

func hoursExcept(hours ...int) QuietHours {
	q := hoursOnly(hours...)
	for h := range q {
		q[h] = !q[h]
	}
	return q
}

// TestQuietHoursEnd checks the end of quiet hours against the wall clock of the zone, across changes of daylight saving
// and further.
func TestQuietHoursEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		says, zone string
		quiet      QuietHours
		at, want   string // local unless they end in Z; an empty want means never
	}{
		{"by day nothing waits", "Europe/Berlin", defaultQuietHours(), "2026-02-03 12:30", "2026-02-03 12:30"},
		{"the evening waits for the morning", "Europe/Berlin", defaultQuietHours(), "2026-02-03 22:00", "2026-02-04 07:00"},
		{"the last minute before quiet", "Europe/Berlin", defaultQuietHours(), "2026-02-03 21:59", "2026-02-03 21:59"},
		{"after midnight", "America/Los_Angeles", defaultQuietHours(), "2026-02-03 03:15", "2026-02-03 07:00"},
		{"half an hour off", "Asia/Kolkata", defaultQuietHours(), "2026-02-03 23:10", "2026-02-04 07:00"},
		{"three quarters off", "Asia/Kathmandu", defaultQuietHours(), "2026-02-03 06:59", "2026-02-03 07:00"},
		{"the night that is an hour short", "Europe/Berlin", defaultQuietHours(), "2026-03-29 01:30", "2026-03-29 07:00"},
		{"the night that is an hour long", "Europe/Berlin", defaultQuietHours(), "2026-10-25 01:30", "2026-10-25 07:00"},
		{"a skipped hour is not quiet", "Europe/Berlin", hoursOnly(2), "2026-03-29T01:00:00Z", "2026-03-29 03:00"},
		{"quiet ends where an hour is skipped", "Europe/Berlin", hoursOnly(1, 2), "2026-03-29 01:30", "2026-03-29T01:00:00Z"},
		{"waiting for an hour that is skipped takes a day", "Europe/Berlin", hoursExcept(2), "2026-03-29 01:30",
			"2026-03-30 02:00"},
		{"a repeated hour is quiet twice", "Europe/Berlin", hoursOnly(2), "2026-10-25T00:30:00Z", "2026-10-25T02:00:00Z"},
		{"also the second time", "Europe/Berlin", hoursOnly(2), "2026-10-25T01:30:00Z", "2026-10-25T02:00:00Z"},
		{"half an hour of daylight saving", "Australia/Lord_Howe", hoursOnly(1), "2026-04-04T14:30:00Z",
			"2026-04-04T15:30:00Z"},
		{"a clock set back into quiet", "Australia/Lord_Howe", hoursOnly(2), "2026-04-04T15:00:00Z", "2026-04-04T15:00:00Z"},
		{"no hour is quiet", "UTC", QuietHours{}, "2026-02-03 03:00", "2026-02-03 03:00"},
		{"every hour is quiet", "UTC", hoursExcept(), "2026-02-03 03:00", ""},
		{"a day that Samoa left out", "Pacific/Apia", hoursExcept(5), "2011-12-29 12:00", "2011-12-31 05:00"},
	} {
		zone, err := Timezone(c.zone).location()
		if err != nil {
			t.Fatal(c.zone, err)
		}
		got, ends := c.quiet.until(parseTime(t, c.at, zone), zone)
		if ends != (c.want != "") || ends && !got.Equal(parseTime(t, c.want, zone)) {
			t.Errorf("%s: %s until %s, want %s", c.says, c.at, got.In(zone), c.want)
		}
	}
}

func parseTime(t *testing.T, text string, zone *time.Location) time.Time {
	t.Helper()
	if parsed, err := time.Parse(time.RFC3339, text); err == nil {
		return parsed
	}
	parsed, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// TestTimezones checks that only names of the IANA database are accepted (NT-R11).
func TestTimezones(t *testing.T) {
	t.Parallel()
	for name, valid := range map[Timezone]bool{
		"UTC": true, "Europe/Berlin": true, "America/Argentina/Buenos_Aires": true, "Etc/GMT+12": true,
		"Pacific/Chatham": true,
		"":                false, "Local": false, "local": false, "localtime": false, "right/UTC": false, "posix/UTC": false,
		"Europe/Atlantis":  false,
		"../../etc/passwd": false, "/etc/localtime": false, "Europe/": false, "europe": false, "Europe/Berlin ": false,
		"+02:00": false,
	} {
		if _, err := name.location(); (err == nil) != valid {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// FuzzQuietEnds checks that for any zone, hours and time the quiet hours end at their earliest possible end.
func FuzzQuietEnds(f *testing.F) {
	f.Add("Europe/Berlin", uint32(0xc0007f), int64(1774746000))
	f.Add("Australia/Lord_Howe", uint32(2), int64(1775315000))
	f.Add("Africa/Monrovia", uint32(0xffff0), int64(63589200))
	f.Fuzz(func(t *testing.T, name string, hours uint32, unix int64) {
		zone, err := Timezone(name).location()
		if err != nil || unix < 0 || unix > 1<<33 {
			return
		}
		var q QuietHours
		for h := range q {
			q[h] = hours>>h&1 == 1
		}
		from := time.Unix(unix, 0)
		end, ends := q.until(from, zone)
		if ends == (q == hoursExcept()) && ends {
			t.Fatalf("%s %v: ends at %s", name, q, end)
		}
		if !ends {
			return
		}
		for at := from; at.Before(end); at = at.Add(time.Minute) {
			if !q[at.In(zone).Hour()] {
				t.Fatalf("%s %v: not quiet at %s, before %s", name, q, at.In(zone), end.In(zone))
			}
		}
		if q[end.In(zone).Hour()] {
			t.Errorf("%s %v: still quiet at %s", name, q, end.In(zone))
		}
	})
}
