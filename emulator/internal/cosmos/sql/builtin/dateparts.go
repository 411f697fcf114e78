package builtin

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// part is a part of a date and time, from largest to smallest.
type part int

const (
	noPart part = iota
	year
	month
	day
	hour
	minute
	second
	millisecond
	microsecond
	nanosecond
)

func partOf(v doc.Value) part {
	switch v.Str() { // lower case only
	case "year", "yyyy", "yy":
		return year
	case "month", "mm", "m":
		return month
	case "day", "dd", "d":
		return day
	case "hour", "hh":
		return hour
	case "minute", "mi", "n":
		return minute
	case "second", "ss", "s":
		return second
	case "millisecond", "ms":
		return millisecond
	case "microsecond", "mcs":
		return microsecond
	case "nanosecond", "ns":
		return nanosecond
	}
	return noPart
}

// ticks returns the length of a part in ticks; 0 for years and months, whose lengths vary, and for nanoseconds, which
// are shorter than a tick.
func (p part) ticks() int64 {
	switch p {
	case day:
		return ticksPerDay
	case hour:
		return int64(time.Hour / tick)
	case minute:
		return int64(time.Minute / tick)
	case second:
		return ticksPerSecond
	case millisecond:
		return int64(time.Millisecond / tick)
	case microsecond:
		return int64(time.Microsecond / tick)
	}
	return 0
}

var dateFunctions = []Function{
	{"DATETIMEFORMAT", 2, 2, dateTimeFormat},
	{"DATETIMEFROMPARTS", 3, 7, dateTimeFromParts},
	{"DATETIMEPART", 2, 2, dateTimePart},
	{"DATETIMETOTICKS", 1, 1, dateTime1(func(t int64) int64 { return t })},
	{"DATETIMETOTIMESTAMP", 1, 1, dateTime1(func(t int64) int64 { return floorDiv(t, millisecond.ticks()) })},
	{"DAY", 1, 1, dateTime1(func(t int64) int64 { return int64(timeOf(t).Day()) })},
	{"MONTH", 1, 1, dateTime1(func(t int64) int64 { return int64(timeOf(t).Month()) })},
	{"TICKSTODATETIME", 1, 1, toDateTime(1)},
	{"TIMESTAMPTODATETIME", 1, 1, toDateTime(millisecond.ticks())},
	{"YEAR", 1, 1, dateTime1(func(t int64) int64 { return int64(timeOf(t).Year()) })},
}

// dateTime1 returns a function of one date and time.
func dateTime1(f func(ticks int64) int64) call {
	return func(_ *Env, args []doc.Value) doc.Value {
		t, ok := parseDateTime(args[0])
		if !ok {
			return undefined
		}
		return doc.Int(f(t))
	}
}

// toDateTime returns a function that converts a number of units since the Unix epoch. unit is in ticks.
func toDateTime(unit int64) call {
	return func(_ *Env, args []doc.Value) doc.Value {
		n, ok := integer(args[0])
		if !ok || n < firstTick/unit || n > lastTick/unit {
			return undefined
		}
		return dateTime(n * unit)
	}
}

func dateTimePart(_ *Env, args []doc.Value) doc.Value {
	t, ok := parseDateTime(args[1])
	if !ok {
		return undefined
	}
	at := timeOf(t)
	values := map[part]int{
		year: at.Year(), month: int(at.Month()), day: at.Day(), hour: at.Hour(), minute: at.Minute(), second: at.Second(),
		millisecond: at.Nanosecond() / 1e6, microsecond: at.Nanosecond() / 1e3, nanosecond: at.Nanosecond(),
	}
	n, ok := values[partOf(args[0])]
	if !ok {
		return undefined
	}
	return doc.Number(float64(n))
}

// dateTimeFromParts takes year, month and day, and optionally hour, minute, second and ticks.
func dateTimeFromParts(_ *Env, args []doc.Value) doc.Value {
	parts := [7]int64{}
	for i, a := range args {
		n, ok := integer(a)
		if !ok {
			return undefined
		}
		parts[i] = n
	}
	least, most := [7]int64{1, 1, 1}, [7]int64{9999, 12, 31, 23, 59, 59, ticksPerSecond - 1}
	for i, n := range parts {
		if n < least[i] || n > most[i] {
			return undefined
		}
	}
	date := time.Date(int(parts[0]), time.Month(parts[1]), int(parts[2]), int(parts[3]), int(parts[4]),
		int(parts[5]), 0, time.UTC)
	if date.Day() != int(parts[2]) { // for example, the 31st of a shorter month
		return undefined
	}
	return dateTime(ticksOf(date) + parts[6])
}
