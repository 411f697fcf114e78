package autoscaling

import (
	"errors"
	"testing"
	"time"
)

// TestSchedules checks when expressions run after noon of Saturday, 2026-11-21.
func TestSchedules(t *testing.T) {
	t.Parallel()
	anchor := noon.Add(-90 * time.Second)
	for _, c := range []struct{ text, zone, want string }{
		{"at(2026-11-21T12:00:01)", "", "2026-11-21T12:00:01Z"},
		{"at(2026-11-21T12:00:00)", "", "never"},
		{"at(2026-12-01T08:00:00)", "America/New_York", "2026-12-01T13:00:00Z"},
		{"rate(1 minute)", "", "2026-11-21T12:00:30Z"},
		{"rate(2 hours)", "", "2026-11-21T13:58:30Z"},
		{"rate(1 days)", "", "2026-11-22T11:58:30Z"},
		{"cron(0 13 * * ? *)", "", "2026-11-21T13:00:00Z"},
		{"cron(0 12 * * ? *)", "", "2026-11-22T12:00:00Z"},
		{"cron(0/20 * * * ? *)", "", "2026-11-21T12:20:00Z"},
		{"cron(15,45 8-18/2 ? * MON-FRI *)", "", "2026-11-23T08:15:00Z"},
		{"cron(0 9 ? * 1 *)", "", "2026-11-22T09:00:00Z"},
		{"cron(0 9 L * ? *)", "", "2026-11-30T09:00:00Z"},
		{"cron(0 9 22W * ? *)", "", "2026-11-23T09:00:00Z"},   // a Sunday
		{"cron(0 9 28W * ? *)", "", "2026-11-27T09:00:00Z"},   // a Saturday
		{"cron(0 9 24W * ? *)", "", "2026-11-24T09:00:00Z"},   // a Tuesday
		{"cron(0 9 1W MAY ? *)", "", "2027-05-03T09:00:00Z"},  // a Saturday: not in April
		{"cron(0 9 31W JAN ? *)", "", "2027-01-29T09:00:00Z"}, // a Sunday: not in February
		{"cron(0 9 31W 11 ? *)", "", "never"},
		{"cron(0 9 LW * ? *)", "", "2026-11-30T09:00:00Z"},
		{"cron(0 9 ? * L *)", "", "2026-11-28T09:00:00Z"},
		{"cron(0 9 ? * 6L *)", "", "2026-11-27T09:00:00Z"},
		{"cron(0 9 ? * FRIL *)", "", "2026-11-27T09:00:00Z"},
		{"cron(0 9 ? * 3#2 *)", "", "2026-12-08T09:00:00Z"},
		{"cron(0 9 ? * TUE#4 *)", "", "2026-11-24T09:00:00Z"},
		{"cron(0 9 ? * MON#5 *)", "", "2026-11-30T09:00:00Z"},
		{"cron(0 9 29 FEB ? *)", "", "2028-02-29T09:00:00Z"},
		{"cron(0 9 1 1 ? 2030-2031)", "Europe/Berlin", "2030-01-01T08:00:00Z"},
		{"cron(0 9 1 1 ? 2020)", "", "never"},
		{"cron(30 2 * * ? *)", "Europe/Berlin", "2026-11-22T01:30:00Z"},
	} {
		next, err := parseSchedule(c.text, c.zone, anchor)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		got := "never"
		if at, some := next(noon); some {
			got = at.UTC().Format(time.RFC3339)
		}
		if got != c.want {
			t.Errorf("%s in %q runs at %s, want %s", c.text, c.zone, got, c.want)
		}
	}
}

// TestInvalidSchedules checks the messages of expressions that are none.
func TestInvalidSchedules(t *testing.T) {
	t.Parallel()
	const details, cron = "Invalid schedule expression. Details: ", "Invalid CRON expression: error at position "
	for text, want := range map[string]string{
		"cron(0 1 * * *)":   details + cron + "9, details: Unexpected end of expression.",
		"cron(0 1 * * * *)": details + cron + "0, details: Specifying both a day-of-week AND a day-of-month parameter is not supported.",
		"rate(0 days)": "Invalid schedule frequency. Run for '1970-01-01T00:00:00.000Z' and '1970-01-01T00:00:00.000Z' " +
			"are less than 60 seconds apart",
		"cron(60 1 * * ? *)":      details + cron + "0, details: Unsupported value: 60.",
		"cron(0 1 ? * MON-XYZ *)": details + cron + "8, details: Unsupported value: MON-XYZ.",
		"cron(0 5-1 * * ? *)":     details + cron + "2, details: Unsupported value: 5-1.",
		"cron(0 1/0 * * ? *)":     details + cron + "2, details: Unsupported value: 1/0.",
		"cron(0 ? * * ? *)":       details + cron + "2, details: Unsupported value: ?.",
		"cron(0 1 32W * ? *)":     details + cron + "4, details: Unsupported value: 32W.",
		"cron(0 1 1W,15W * ? *)":  details + cron + "4, details: Unsupported value: 1W,15W.",
		"cron(0 1 ? * 3#6 *)":     details + cron + "8, details: Unsupported value: 3#6.",
		"cron(0 1 ? * 8#1 *)":     details + cron + "8, details: Unsupported value: 8#1.",
		"cron(0 1 ? * 3#1,6#3 *)": details + cron + "8, details: Unsupported value: 3#1,6#3.",
		"cron(0 1 ? * XL *)":      details + cron + "8, details: Unsupported value: XL.",
		"at(tomorrow)":            details + `Invalid schedule at DateTime expression: Cannot parse "tomorrow"`,
		"rate(5 weeks)":           details + "Invalid rate expression: 5 weeks",
		"0 1 * * ? *":             details + "It is none of at(yyyy-mm-ddThh:mm:ss), rate(value unit), cron(fields)",
	} {
		_, err := parseSchedule(text, "", noon)
		var refused *Error
		if !errors.As(err, &refused) || refused.Message != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := parseSchedule("rate(1 day)", "Local", noon); err == nil {
		t.Error("the machine's own time zone is accepted")
	}
}

// TestRatesOfCenturies checks rates whose anchor or period is longer than a Duration can be.
func TestRatesOfCenturies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text        string
		after, want time.Time
	}{
		{"rate(106752 days)", noon, time.Unix(106752*24*3600, 0)},
		{"rate(213503 days)", noon, time.Unix(213503*24*3600, 0)},
		{"rate(213504 days)", noon, time.Unix(213504*24*3600, 0)},
		{"rate(999999 days)", noon, time.Unix(999999*24*3600, 0)},
		{"rate(7 minutes)", time.Unix(0, 0).AddDate(300, 0, 0), time.Unix(0, 0).AddDate(300, 0, 0).Add(4 * time.Minute)},
	} {
		next, err := parseSchedule(c.text, "", time.Unix(0, 0))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if at, some := next(c.after); !some || !at.Equal(c.want) {
			t.Errorf("%s runs after %v at %v, %t, want %v", c.text, c.after, at, some, c.want)
		}
	}
}
