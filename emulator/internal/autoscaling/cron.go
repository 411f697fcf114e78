package autoscaling

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// cron is a cron expression with the fields minutes, hours, day of the month, month, day of the week and year, each the
// set of the numbers that match. Of the two days one is ?, which matches every day.
type cron struct {
	minutes, hours, months, years map[int]bool
	monthDay, weekday             dayMatcher
	zone                          *time.Location
}

// lastYear is the last year that an expression can name: nothing runs after it.
const lastYear = 2199

// cronField is a field of an expression: the range of its numbers, and their names of three letters, if it has any.
type cronField struct {
	from, to int
	names    string
}

var cronFields = [6]cronField{
	{0, 59, ""}, {0, 23, ""}, {1, 31, ""}, {1, 12, "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"},
	{1, 7, "SUNMONTUEWEDTHUFRISAT"}, {1970, lastYear, ""},
}

// parseCron parses an expression. The messages about too few fields and about two days are recorded (2026-09-17), the
// others are ours.
func parseCron(text string, zone *time.Location) (schedule, error) {
	fields := strings.Fields(strings.ToUpper(text))
	switch {
	case len(fields) < len(cronFields):
		return nil, invalidCron(len(text), "Unexpected end of expression.")
	case len(fields) > len(cronFields):
		return nil, invalidCron(len(text), "An expression has six fields.")
	case fields[2] != "?" && fields[4] != "?":
		return nil, invalidCron(0, "Specifying both a day-of-week AND a day-of-month parameter is not supported.")
	case fields[2] == "?" && fields[4] == "?":
		return nil, invalidCron(0, "'?' can only be specified for Day-of-Month -OR- Day-of-Week.")
	}
	var sets [len(cronFields)]map[int]bool
	var days [len(cronFields)]dayMatcher
	for i, f := range cronFields {
		days[i] = parseDay(i, fields[i])
		if sets[i] = f.parse(fields[i], i == dayOfMonth || i == dayOfWeek); sets[i] == nil && days[i] == nil {
			return nil, invalidCron(strings.Index(strings.ToUpper(text), fields[i]), "Unsupported value: "+fields[i]+".")
		}
	}
	c := &cron{minutes: sets[0], hours: sets[1], months: sets[3], years: sets[5], zone: zone,
		monthDay: days[dayOfMonth], weekday: days[dayOfWeek]}
	if c.monthDay == nil {
		c.monthDay = func(day time.Time) bool { return sets[dayOfMonth][day.Day()] }
	}
	if c.weekday == nil {
		c.weekday = func(day time.Time) bool { return sets[dayOfWeek][weekdayOf(day)] }
	}
	return c.next, nil
}

func invalidCron(position int, details string) error {
	return invalidSchedule(fmt.Sprintf("Invalid CRON expression: error at position %d, details: %s", position, details))
}

// parse returns the numbers of a field: a list of numbers, ranges, and steps; nil if it is none. Days may be ?.
func (f cronField) parse(text string, isDay bool) map[int]bool {
	if isDay && text == "?" {
		text = "*"
	}
	set := map[int]bool{}
	for part := range strings.SplitSeq(text, ",") {
		numbers, step, stepped := strings.Cut(part, "/")
		from, to, ok := f.span(numbers, stepped)
		by := 1
		if stepped {
			var err error
			by, err = strconv.Atoi(step)
			ok = ok && err == nil && by > 0
		}
		if !ok || from < f.from || to > f.to || from > to {
			return nil
		}
		for n := from; n <= to; n += by {
			set[n] = true
		}
	}
	return set
}

// span returns the range of numbers such as *, 5, 5-7 or MON-FRI. One number with a step reaches to the end.
func (f cronField) span(text string, stepped bool) (from, to int, ok bool) {
	if text == "*" {
		return f.from, f.to, true
	}
	first, last, isRange := strings.Cut(text, "-")
	from, ok = f.number(first)
	switch {
	case isRange:
		var also bool
		to, also = f.number(last)
		return from, to, ok && also
	case stepped:
		return from, f.to, ok
	}
	return from, from, ok
}

func (f cronField) number(text string) (int, bool) {
	if at := strings.Index(f.names, text); len(text) == 3 && at >= 0 && at%3 == 0 {
		return f.from + at/3, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// next is the expression's schedule.
func (c *cron) next(after time.Time) (time.Time, bool) {
	start := after.In(c.zone)
	for day := middleOf(start); day.Year() <= lastYear; day = middleOf(day.AddDate(0, 0, 1)) {
		if !c.matchesDay(day) {
			continue
		}
		for h := range 24 {
			for m := range 60 {
				if !c.hours[h] || !c.minutes[m] {
					continue
				}
				if at := time.Date(day.Year(), day.Month(), day.Day(), h, m, 0, 0, c.zone); at.After(after) {
					return at, true
				}
			}
		}
	}
	return time.Time{}, false
}

// middleOf returns noon of a day: a time that exists in every zone.
func middleOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, t.Location())
}

func (c *cron) matchesDay(day time.Time) bool {
	return c.monthDay(day) && c.months[int(day.Month())] && c.weekday(day) && c.years[day.Year()]
}
