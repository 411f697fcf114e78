package builtin

import "testing"

func TestDatesBeyondTheirRange(t *testing.T) {
	t.Parallel()
	expect(t, map[string]string{
		`DATETIMEADD "yyyy" | 1 | "9999-01-01"`:                     "undefined",
		`DATETIMEADD "yyyy" | 9e15 | "2020-01-01"`:                  "undefined",
		`DATETIMEADD "dd" | 9e18 | "2020-01-01"`:                    "undefined",
		`DATETIMEADD "dd" | 0.5 | "2020-01-01"`:                     "undefined",
		`DATETIMEADD "xx" | 1 | "2020-01-01"`:                       "undefined",
		`DATETIMEADD "mm" | 1 | "2020-01-31T01:02:03.4Z"`:           `"2020-02-29T01:02:03.4000000Z"`,
		`DATETIMEADD "ns" | 199 | "2020-01-01"`:                     `"2020-01-01T00:00:00.0000001Z"`,
		`DATETIMEFROMPARTS 2023 | 2 | 29`:                           "undefined",
		`DATETIMEFROMPARTS 2024 | 2 | 29`:                           `"2024-02-29T00:00:00.0000000Z"`,
		`DATETIMEBIN "2021-01-08" | "yyyy"`:                         "undefined",
		`DATETIMEBIN "2021-01-08" | "dd" | 0`:                       "undefined",
		`DATETIMEBIN "2021-01-08" | "dd" | 9e18`:                    `"1970-01-01T00:00:00.0000000Z"`,
		`DATETIMEBIN "1921-01-08" | "dd" | 9e18`:                    "undefined",
		`DATETIMEBIN "1969-12-31T23:59:59" | "hh"`:                  `"1969-12-31T23:00:00.0000000Z"`,
		`DATETIMEBIN "2021-01-08" | "dd" | 1 | "1600-01-01"`:        "undefined",
		`DATETIMEBIN "1970-01-01T00:00:00.0000005" | "ns" | 150`:    `"1970-01-01T00:00:00.0000004Z"`,
		`DATETIMEDIFF "ns" | "2020-01-01" | "2020-01-01T00:00:01"`:  "1000000000",
		`DATETIMEDIFF "day" | "1969-12-31T23:59:59" | "1970-01-01"`: "1",
		`TICKSTODATETIME 9e18`:                                      "undefined",
		`TIMESTAMPTODATETIME 1.5`:                                   "undefined",
		`TIMESTAMPTODATETIME -1`:                                    `"1969-12-31T23:59:59.9990000Z"`,
		`DATETIMETOTIMESTAMP "1969-12-31T23:59:59.9990000Z"`:        "-1",
		`AGO "hh" | 2`:                      `"2026-03-28T23:30:00.1234567Z"`,
		`AGO "yyyy" | -9223372036854775807`: "undefined",
		`GETCURRENTTIMESTAMP `:              "1774747800123",
		`NOW `:                              `"2026-03-29T01:30:00.1234567Z"`,
		`YEAR "2026-03-29"`:                 "2026",
		`MONTH "2026-03-29 "`:               "undefined",
		`DAY "2026-02-29"`:                  "undefined",
	})
}

func TestDateFormats(t *testing.T) {
	t.Parallel()
	expect(t, map[string]string{
		`DATETIMEFORMAT "2026-03-09T13:04:05.0120000" | "d/M/yy h:m:s tt"`:           `"9/3/26 1:4:5 PM"`,
		`DATETIMEFORMAT "2026-03-09T00:04:05.0120000" | "dddd, dd MMM yyyy hh 'at'"`: `"Monday, 09 Mar 2026 12 at"`,
		`DATETIMEFORMAT "2026-03-09T13:04:05.0120000" | "ss.ffffFFF MMMM"`:           `"05.0120012 March"`,
		`DATETIMEFORMAT "2026-03-09" | 1`:                                            "undefined",
		`DATETIMEFORMAT "2026-03-09" | "\\"`:                                         `""`,
	})
}
