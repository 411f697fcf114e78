package autoscaling

import (
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // the zones are the same wherever the emulator runs

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// schedule returns the first time after another one at which something runs, and whether there is one.
type schedule func(after time.Time) (next time.Time, some bool)

// parseSchedule parses an at, rate or cron expression. At and cron are in a time zone, empty for UTC; a rate counts
// from anchor, which has whole milliseconds. Errors: a ValidationException. Texts that were not recorded are ours.
func parseSchedule(text, timezone string, anchor time.Time) (schedule, error) {
	zone, err := time.LoadLocation(timezone)
	if err != nil || timezone == "Local" {
		return nil, invalid("Invalid schedule timezone: %s", timezone)
	}
	kind, rest, ok := strings.Cut(text, "(")
	body, closed := strings.CutSuffix(rest, ")")
	switch {
	case !ok || !closed:
	case kind == "at":
		return parseAt(body, zone)
	case kind == "rate":
		return parseRate(body, anchor)
	case kind == "cron":
		return parseCron(body, zone)
	}
	return nil, invalidSchedule("It is none of at(yyyy-mm-ddThh:mm:ss), rate(value unit), cron(fields)")
}

func invalidSchedule(details string) error {
	return invalid("Invalid schedule expression. Details: %s", details)
}

// parseAt parses a time, such as 2026-11-21T12:00:00.
func parseAt(text string, zone *time.Location) (schedule, error) {
	at, err := time.ParseInLocation("2006-01-02T15:04:05", text, zone)
	if err != nil {
		return nil, invalidSchedule("Invalid schedule at DateTime expression: Cannot parse " + strconv.Quote(text))
	}
	return func(after time.Time) (time.Time, bool) { return at, at.After(after) }, nil
}

var ratePattern = lazyregexp.New(`^(\d{1,6}) (minute|hour|day)s?$`)

// parseRate parses an interval, such as "5 minutes".
func parseRate(text string, anchor time.Time) (schedule, error) {
	parts := ratePattern.FindStringSubmatch(text)
	if parts == nil {
		return nil, invalidSchedule("Invalid rate expression: " + text)
	}
	n, _ := strconv.Atoi(parts[1]) // at most six digits
	if n == 0 {
		return nil, invalid("Invalid schedule frequency. Run for '1970-01-01T00:00:00.000Z' and '1970-01-01T00:00:00.000Z' " +
			"are less than 60 seconds apart")
	}
	unit := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}[parts[2]]
	period := int64(n) * unit.Milliseconds() // a Duration reaches only to 106751 days
	return func(after time.Time) (time.Time, bool) {
		if after.Before(anchor) {
			return anchor, true
		}
		first := anchor.UnixMilli()
		return time.UnixMilli(first + ((after.UnixMilli()-first)/period+1)*period), true
	}, nil
}

// actionName is the pattern of names of scheduled actions, as the SDK's model has it, and as Go can say it.
const actionName = `(?!((^[ ]+.*)|(.*([\u0000-\u001f]|[\u007f-\u009f]|[:/|])+.*)|(.*[ ]+$))).+`

var validActionName = lazyregexp.New(
	`^[^ \x00-\x1f\x7f-\x{9f}:/|]([^\x00-\x1f\x7f-\x{9f}:/|]*[^ \x00-\x1f\x7f-\x{9f}:/|])?$`)
