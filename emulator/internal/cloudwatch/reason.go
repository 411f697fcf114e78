package cloudwatch

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The service's explanations of a state, and the data with them, are from its documentation and from published
// responses.

// initialReason is the reason of an alarm that has not been evaluated.
const initialReason = "Unchecked: Initial alarm creation"

// timestamp is the format of times in alarms' data.
const timestamp = "2006-01-02T15:04:05.000-0700"

// reason explains a verdict, as text and as JSON.
func (a *alarm) reason(v evaluation, now time.Time) (words, data string) {
	if v.state == stateInsufficient {
		return fmt.Sprintf("Insufficient Data: %s unknown.", countText(v.filled, "datapoint", "was", "were")),
			a.reasonData(v, now)
	}
	return "Threshold Crossed: " + a.crossing(v) + ".", a.reasonData(v, now)
}

func (a *alarm) crossing(v evaluation) string {
	if len(v.used) == 0 {
		return fmt.Sprintf("no datapoints were received for %s and %s", plural(v.filled, "period"),
			treatedText(v.filled, v.state == stateAlarm))
	}
	var shown []string
	for i := len(v.used) - 1; i >= 0; i-- {
		if s := v.used[i]; s.breaches == (v.state == stateAlarm) {
			shown = append(shown, fmt.Sprintf("%s (%s)", javaNumber(s.value),
				time.Unix(s.at, 0).UTC().Format("02/01/06 15:04:05")))
		}
	}
	missing := ""
	if v.filled > 0 && a.treatment() != "missing" {
		missing = treatedText(v.filled, a.treatment() == "breaching")
	}
	switch {
	case len(shown) == 0 && missing == "": // the service's text for this case is not known
		return fmt.Sprintf("%s breached the threshold (%s), fewer than the %d needed", plural(len(v.used), "datapoint"),
			javaNumber(*a.Threshold), a.m())
	case len(shown) == 0:
		return missing
	}
	text := a.comparison(shown, v)
	if missing != "" {
		text += " and " + missing
	}
	return text
}

// comparison lists the data points that decided. If the alarm sets DatapointsToAlarm, the text states it.
func (a *alarm) comparison(shown []string, v evaluation) string {
	verb, not := "was", ""
	if len(shown) > 1 || a.DatapointsToAlarm != nil && len(v.used) > 1 {
		verb = "were"
	}
	if v.state != stateAlarm {
		not = "not "
	}
	list := fmt.Sprintf("[%s] %s %s%s the threshold (%s)", strings.Join(shown, ", "), verb, not,
		comparisonWords(*a.ComparisonOperator), javaNumber(*a.Threshold))
	if a.DatapointsToAlarm == nil {
		return plural(len(shown), "datapoint") + " " + list
	}
	least, transition := a.m(), "OK -> ALARM"
	if v.state != stateAlarm {
		least, transition = a.n()-a.m()+1, "ALARM -> OK"
	}
	return fmt.Sprintf("%d out of the last %d datapoints %s (minimum %s for %s transition)", len(shown), len(v.used), list,
		plural(least, "datapoint"), transition)
}

func comparisonWords(operator string) string {
	switch operator {
	case "GreaterThanThreshold":
		return "greater than"
	case "GreaterThanOrEqualToThreshold":
		return "greater than or equal to"
	case "LessThanThreshold":
		return "less than"
	}
	return "less than or equal to"
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func countText(n int, what, one, many string) string {
	if n == 1 {
		return "1 " + what + " " + one
	}
	return fmt.Sprintf("%d %ss %s", n, what, many)
}

func treatedText(n int, breaching bool) string {
	as := "NonBreaching"
	if breaching {
		as = "Breaching"
	}
	return countText(n, "missing datapoint", "was", "were") + " treated as [" + as + "]"
}

// javaNumber formats a number as the service does, which always writes a fraction.
func javaNumber(x float64) string {
	if x != 0 && (x >= 1e7 || x <= -1e7 || x > -1e-3 && x < 1e-3) {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'E', -1, 64), "E")
		if !strings.Contains(mantissa, ".") {
			mantissa += ".0"
		}
		power, _ := strconv.Atoi(exponent) // FormatFloat wrote a number
		return mantissa + "E" + strconv.Itoa(power)
	}
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// reasonData returns StateReasonData.
func (a *alarm) reasonData(v evaluation, now time.Time) string {
	type evaluated struct {
		Timestamp   string   `json:"timestamp"`
		SampleCount *float64 `json:"sampleCount,omitempty"`
		Value       *float64 `json:"value,omitempty"`
	}
	data := struct {
		Version          string      `json:"version"`
		QueryDate        string      `json:"queryDate"`
		StartDate        string      `json:"startDate,omitempty"`
		Unit             string      `json:"unit,omitempty"`
		Statistic        string      `json:"statistic,omitempty"`
		Period           int64       `json:"period"`
		RecentDatapoints []float64   `json:"recentDatapoints"`
		Threshold        float64     `json:"threshold"`
		Evaluated        []evaluated `json:"evaluatedDatapoints"`
	}{
		Version: "1.0", QueryDate: now.UTC().Format(timestamp), Unit: zero(a.Unit), Period: a.period, Threshold: *a.Threshold,
		Statistic: valueOr(a.Statistic, zero(a.ExtendedStatistic)), RecentDatapoints: []float64{}, Evaluated: []evaluated{},
	}
	for i, s := range v.used {
		if i == 0 {
			data.StartDate = time.Unix(s.at, 0).UTC().Format(timestamp)
		}
		data.RecentDatapoints = append(data.RecentDatapoints, s.value)
		e := evaluated{Timestamp: time.Unix(s.at, 0).UTC().Format(timestamp), Value: &v.used[i].value}
		if s.count > 0 {
			e.SampleCount = &v.used[i].count
		}
		data.Evaluated = append([]evaluated{e}, data.Evaluated...)
	}
	text, err := json.Marshal(data)
	if err != nil { // a number that JSON does not have: metric math returns none
		return ""
	}
	return string(text)
}
