package builtin

import (
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// A tick is 100 ns, the precision of the service's times. Ticks are counted from the Unix epoch.
const (
	tick            = 100 * time.Nanosecond
	ticksPerSecond  = int64(time.Second / tick)
	ticksPerDay     = 24 * 60 * 60 * ticksPerSecond
	fractionDigits  = 7
	firstTick       = -62135596800 * ticksPerSecond   // start of the year 1
	lastTick        = 253402300800*ticksPerSecond - 1 // end of the year 9999
	windowsEpoch    = -11644473600 * ticksPerSecond   // start of the year 1601
	dateTimePattern = "2006-01-02T15:04:05.0000000Z"
)

func ticksOf(t time.Time) int64 { return t.Unix()*ticksPerSecond + int64(t.Nanosecond())/int64(tick) }

func timeOf(ticks int64) time.Time {
	seconds := floorDiv(ticks, ticksPerSecond)
	return time.Unix(seconds, (ticks-seconds*ticksPerSecond)*int64(tick)).UTC()
}

// dateTime returns a time as the service writes it; undefined before the year 1 or after the year 9999.
func dateTime(ticks int64) doc.Value {
	if ticks < firstTick || ticks > lastTick {
		return undefined
	}
	return doc.String(timeOf(ticks).Format(dateTimePattern))
}

// parseDateTime parses YYYY-MM-DD, optionally followed by T or a space, hh:mm:ss and a fraction of one to seven digits,
// and an optional Z ("IS_DATETIME", remarks). Other time zones are not supported.
func parseDateTime(v doc.Value) (ticks int64, ok bool) {
	if v.Kind() != doc.Text {
		return 0, false
	}
	s := strings.TrimSuffix(v.Str(), "Z")
	if len(s) < len(time.DateOnly) {
		return 0, false
	}
	day, err := time.Parse(time.DateOnly, s[:len(time.DateOnly)])
	if err != nil || day.Year() < 1 {
		return 0, false
	}
	ofDay, ok := parseTime(s[len(time.DateOnly):])
	return ticksOf(day) + ofDay, ok
}

// parseTime parses a time of day and the separator before it. Both may be missing.
func parseTime(s string) (ticks int64, ok bool) {
	if s == "" {
		return 0, true
	}
	const length = len("Thh:mm:ss")
	if len(s) < length || s[0] != 'T' && s[0] != ' ' || s[3] != ':' || s[6] != ':' {
		return 0, false
	}
	hour, first := digits(s[1:3])
	minute, second := digits(s[4:6])
	seconds, third := digits(s[7:9])
	if !first || !second || !third || hour > 23 || minute > 59 || seconds > 59 {
		return 0, false
	}
	fraction, ok := parseFraction(s[length:])
	return ((hour*60+minute)*60+seconds)*ticksPerSecond + fraction, ok
}

func parseFraction(s string) (ticks int64, ok bool) {
	if s == "" {
		return 0, true
	}
	if s[0] != '.' || len(s) < 2 || len(s) > 1+fractionDigits {
		return 0, false
	}
	return digits((s[1:] + "0000000")[:fractionDigits])
}

func digits(s string) (n int64, ok bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n, true
}

func isDateTime(v doc.Value) bool {
	_, ok := parseDateTime(v)
	return ok
}

// floorDiv divides and rounds down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
