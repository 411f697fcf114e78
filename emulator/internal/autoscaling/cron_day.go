package autoscaling

import (
	"strings"
	"time"
)

// dayMatcher reports whether a field of days matches a day.
type dayMatcher func(day time.Time) bool

// The fields of days in an expression.
const dayOfMonth, dayOfWeek = 2, 4

// parseDay parses the wildcards L, W and # of a field of days; nil: the field has none of them, or is invalid. They
// stand alone: a list has none. (EventBridge, "Cron expressions reference"; Quartz's combinations LW and 6L.)
//
//	L    the last day of the month; of the week, Saturday
//	3W   the weekday nearest to the third of the month, in the same month
//	LW   the last weekday of the month
//	3#2  the second Tuesday of the month
//	6L   the last Friday of the month
func parseDay(field int, text string) dayMatcher {
	switch {
	case field == dayOfMonth && text == "L":
		return func(day time.Time) bool { return day.Day() == lastOf(day) }
	case field == dayOfMonth && strings.HasSuffix(text, "W"):
		return parseNearest(strings.TrimSuffix(text, "W"))
	case field == dayOfWeek && text == "L":
		return func(day time.Time) bool { return day.Weekday() == time.Saturday }
	case field == dayOfWeek && strings.HasSuffix(text, "L"):
		return parseLastWeekday(strings.TrimSuffix(text, "L"))
	case field == dayOfWeek:
		return parseNth(text)
	}
	return nil
}

// parseNearest parses the day of a W: a number, or L for the last day.
func parseNearest(text string) dayMatcher {
	n, ok := cronFields[dayOfMonth].number(text)
	if text != "L" && (!ok || n < 1 || n > 31) {
		return nil
	}
	return func(day time.Time) bool {
		of := n
		if text == "L" {
			of = lastOf(day)
		}
		return of <= lastOf(day) && day.Day() == nearestWeekday(day, of)
	}
}

// nearestWeekday returns the day from Monday to Friday that is nearest to the day n of a month, in the same month.
func nearestWeekday(month time.Time, n int) int {
	switch time.Date(month.Year(), month.Month(), n, 12, 0, 0, 0, month.Location()).Weekday() {
	case time.Saturday:
		if n == 1 {
			return 3
		}
		return n - 1
	case time.Sunday:
		if n == lastOf(month) {
			return n - 2
		}
		return n + 1
	}
	return n
}

// parseLastWeekday parses the weekday of an L, such as 6 or FRI.
func parseLastWeekday(text string) dayMatcher {
	n, ok := cronFields[dayOfWeek].number(text)
	if !ok || n < 1 || n > 7 {
		return nil
	}
	return func(day time.Time) bool { return weekdayOf(day) == n && day.Day()+7 > lastOf(day) }
}

// parseNth parses a weekday and its number in the month, such as 3#2 or TUE#2.
func parseNth(text string) dayMatcher {
	weekday, number, ok := strings.Cut(text, "#")
	if !ok || len(number) != 1 || number < "1" || number > "5" {
		return nil
	}
	n, ok := cronFields[dayOfWeek].number(weekday)
	if !ok || n < 1 || n > 7 {
		return nil
	}
	at := int(number[0] - '0')
	return func(day time.Time) bool { return weekdayOf(day) == n && (day.Day()+6)/7 == at }
}

// weekdayOf returns the number of a day of the week: 1 is Sunday.
func weekdayOf(day time.Time) int { return int(day.Weekday()) + 1 }

// lastOf returns the last day of a day's month.
func lastOf(day time.Time) int {
	return time.Date(day.Year(), day.Month()+1, 0, 12, 0, 0, 0, day.Location()).Day()
}
