package builtin

import (
	"math/big"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

var dateArithmetic = []Function{
	{"AGO", 2, 2, ago},
	{"DATETIMEADD", 3, 3, dateTimeAdd},
	{"DATETIMEBIN", 2, 4, dateTimeBin},
	{"DATETIMEDIFF", 3, 3, dateTimeDiff},
}

func dateTimeAdd(_ *Env, args []doc.Value) doc.Value {
	n, ok := integer(args[1])
	t, isTime := parseDateTime(args[2])
	if !ok || !isTime {
		return undefined
	}
	return added(t, partOf(args[0]), n)
}

// ago returns the time of the query minus a number of parts.
func ago(env *Env, args []doc.Value) doc.Value {
	n, ok := integer(args[1])
	if !ok || n == -n && n != 0 {
		return undefined
	}
	return added(ticksOf(env.Now), partOf(args[0]), -n)
}

func added(t int64, p part, n int64) doc.Value {
	switch p {
	case noPart:
		return undefined
	case year:
		return addedMonths(t, n, 12)
	case month:
		return addedMonths(t, n, 1)
	case nanosecond:
		return shifted(t, n/int64(tick), 1)
	}
	return shifted(t, n, p.ticks())
}

func shifted(t, n, unit int64) doc.Value {
	const span = lastTick - firstTick
	if n > span/unit || n < -span/unit {
		return undefined
	}
	return dateTime(t + n*unit)
}

// addedMonths keeps the day of the month, or uses the last day of a shorter month.
func addedMonths(t, n, months int64) doc.Value {
	const most = 12 * 9999
	if n > most || n < -most {
		return undefined
	}
	at := timeOf(t)
	first := time.Date(at.Year(), at.Month()+time.Month(n*months), 1, 0, 0, 0, 0, time.UTC)
	if first.Year() < 1 || first.Year() > 9999 {
		return undefined
	}
	last := first.AddDate(0, 1, -1).Day()
	date := first.AddDate(0, 0, min(at.Day(), last)-1)
	return dateTime(ticksOf(date) + t - floorDiv(t, ticksPerDay)*ticksPerDay)
}

// dateTimeDiff returns the number of boundaries of a part between two times.
func dateTimeDiff(_ *Env, args []doc.Value) doc.Value {
	from, first := parseDateTime(args[1])
	to, second := parseDateTime(args[2])
	p := partOf(args[0])
	if !first || !second || p == noPart {
		return undefined
	}
	a, b := timeOf(from), timeOf(to)
	years := b.Year() - a.Year()
	switch p {
	case year:
		return doc.Number(float64(years))
	case month:
		return doc.Number(float64(12*years + int(b.Month()) - int(a.Month())))
	case nanosecond:
		return doc.Number(float64(to-from) * float64(tick))
	}
	return doc.Number(float64(floorDiv(to, p.ticks()) - floorDiv(from, p.ticks())))
}

// dateTimeBin rounds down to a multiple of a size, by default 1, counted from a start, by default the Unix epoch.
func dateTimeBin(_ *Env, args []doc.Value) doc.Value {
	t, ok := parseDateTime(args[0])
	size, start, p := int64(1), int64(0), partOf(args[1])
	if len(args) > 2 && ok {
		size, ok = integer(args[2])
	}
	if len(args) > 3 && ok {
		start, ok = parseDateTime(args[3])
	}
	if !ok || size < 1 || start < windowsEpoch || p < day {
		return undefined
	}
	return dateTime(start + binned(t-start, p, size))
}

// binned rounds ticks down. It computes in nanoseconds, which may overflow an int64.
func binned(ticks int64, p part, size int64) int64 {
	width, unit := big.NewInt(size), int64(1)
	if p != nanosecond {
		unit = p.ticks() * int64(tick)
	}
	width.Mul(width, big.NewInt(unit))
	n := big.NewInt(ticks)
	n.Mul(n, big.NewInt(int64(tick)))
	rest := new(big.Int).Mod(n, width) // never negative
	n.Sub(n, rest)
	n.Div(n, big.NewInt(int64(tick)))
	if !n.IsInt64() {
		return 2 * lastTick // out of range
	}
	return n.Int64()
}
