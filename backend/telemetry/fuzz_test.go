package telemetry

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// FuzzParseReadings checks that the parser accepts no broken JSON, never returns none or more than 100 readings, and
// that every reading without a reason satisfies every rule.
func FuzzParseReadings(f *testing.F) {
	valid := `{"hardware_id":"AA:BB:CC:DD:EE:FF","batch_id":"b","boot_id":"` + bootID +
		`","firmware_version":"1","timestamp_ms":1704067800000,"sensors":{"t":1.50},"sensor_status":{"t":"ok"}}`
	for _, seed := range []string{
		`{"readings":[` + valid + `]}`, `{"readings":[` + valid + `,` + valid + `]}`, `{"readings":[]}`, `{"readings":[{}]}`,
		`{"readings":[1,"x",null,[[]],{"sensors":{"t":1e999}}]}`,
		`{"readings":[{"sensors":{"t":1,"t":2},"batch_id":"a","batch_id":"b"}]}`,
		`{"readings":{}}`, `{"x":1}`, `[]`, `null`, ``, `{"readings":[{"batch_id":"\u0000\ud800"}]}`,
		strings.Repeat(`[`, 20000),
		`{"readings":[` + valid + `],"readings":[` + valid + `]}`, `{"readings":[` + valid + `]}x`,
		"{\"readings\":[{\"\xff\":1}]}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		readings, err := parseReadings(body)
		if err != nil {
			var bad *web.Error
			if !errors.As(err, &bad) || bad.Status != 400 && bad.Status != 422 {
				t.Fatalf("an error that is not the sender's: %v", err)
			}
			return
		}
		if !json.Valid(body) || len(readings) == 0 || len(readings) > maxReadings {
			t.Fatalf("%d readings of %q", len(readings), body)
		}
		for i := range readings {
			if r := &readings[i]; r.reason == "" {
				checkGood(t, &r.Reading)
			} else if len(r.reason) > 400 {
				t.Errorf("a reason of %d bytes", len(r.reason))
			}
		}
	})
}

func checkGood(t *testing.T, r *Reading) {
	if reason := invalidReason(r); reason != "" || len(r.Sensors) > maxSensors || len(r.SensorStatus) > maxSensors {
		t.Errorf("accepted %+v: %s", r, reason)
	}
	for name, value := range r.Sensors {
		if again, ok := exactNumber(string(value)); !ok || again != value || !validSensorName(name) {
			t.Errorf("accepted sensor %s = %s", name, value)
		}
	}
	for name, status := range r.SensorStatus {
		if status != "ok" && status != "error" || !validSensorName(name) {
			t.Errorf("accepted status %s = %s", name, status)
		}
	}
}

// FuzzPatterns checks that the byte-wise validation agrees with the patterns of the OpenAPI document.
func FuzzPatterns(f *testing.F) {
	rules := []struct {
		pattern *regexp.Regexp
		valid   func(string) bool
	}{
		{regexp.MustCompile(patternHardwareID), validHardwareID}, {regexp.MustCompile(patternUUID), validUUID},
		{regexp.MustCompile(patternBatchID), validBatchID}, {regexp.MustCompile(patternFirmware), validFirmware},
		{regexp.MustCompile(patternSensorName), validSensorName}, {regexp.MustCompile(patternTimestamp), validTimestamp},
	}
	for _, seed := range []string{
		"AA:BB:CC:DD:EE:FF", "aa:bb:cc:dd:ee:ff", "AA-BB-CC-DD-EE-FF", "AA:BB:CC:DD:EE:FF\n", "GG:BB:CC:DD:EE:FF",
		bootID, "550e8400-e29b-11d4-a716-446655440000", "550e8400-e29b-41d4-c716-446655440000",
		"550E8400-E29B-41D4-A716-44665544000G",
		"batch_1:2-3", "a b", "", strings.Repeat("a", 64), strings.Repeat("a", 65), strings.Repeat("b", 256),
		strings.Repeat("b", 257),
		"bme280_temp_c", "_x", "Ä", "~ ", "\x7f", "2024-01-15T10:30:00Z", "2024-01-15T10:30:00+00:00",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, rule := range rules {
			if got, want := rule.valid(s), rule.pattern.MatchString(s); got != want {
				t.Errorf("%q and %s: %v, want %v", s, rule.pattern, got, want)
			}
		}
	})
}

// FuzzExactNumber compares with rational arithmetic: an accepted number has at most 38 digits and keeps its value.
func FuzzExactNumber(f *testing.F) {
	for _, seed := range []string{
		"0", "-0", "0.0", "0e999", "1", "-1.5", "22.50", "1e125", "9.9e125", "1e126", "1e-130", "9e-131", "0.001e-127",
		"12345678901234567890123456789012345678", "123456789012345678901234567890123456789", "1e99999999999999999999",
		"100000000000000000000000000000000000000000000000", "0." + strings.Repeat("0", 129) + "1", strings.Repeat("1", 201),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) || strings.TrimLeft(text, "-0123456789.eE+") != "" || text == "" || len(text) > 200 {
			return // the parser passes only JSON numbers
		}
		kept, ok := exactNumber(text)
		if _, exponent, _ := strings.Cut(strings.ToLower(text), "e"); len(exponent) > 5 {
			return // big.Rat would take minutes
		}
		value, valid := new(big.Rat).SetString(text)
		if !valid {
			t.Fatalf("%q is a JSON number but not a rational", text)
		}
		size := new(big.Rat).Abs(value)
		small, _ := new(big.Rat).SetString("1e-130")
		large, _ := new(big.Rat).SetString("1e126")
		fits := value.Sign() == 0 || size.Cmp(small) >= 0 && size.Cmp(large) < 0 && digits(text) <= 38
		if ok != fits {
			t.Errorf("%q: accepted %v, want %v", text, ok, fits)
		}
		if again, valid := new(big.Rat).SetString(string(kept)); ok && (!valid || again.Cmp(value) != 0) {
			t.Errorf("%q became %q", text, kept)
		}
	})
}

// digits counts significant digits.
func digits(text string) int {
	mantissa, _, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(text, "-")), "e")
	return len(strings.Trim(strings.Replace(mantissa, ".", "", 1), "0"))
}

// FuzzCursor checks that exactly the keys of a listing are accepted as its cursors, and that every cursor it encoded is
// one.
func FuzzCursor(f *testing.F) {
	from, to := tsBatchFrom(0), tsBatchTo(9_999_999_999_999)
	parts := map[string]func(string) bool{"hardware_id": web.Equals("AA:BB:CC:DD:EE:FF"),
		"ts_batch": readingKeyBetween(from, to)}
	for _, seed := range []string{
		web.EncodeCursor(ddb.Key{"hardware_id": "AA:BB:CC:DD:EE:FF", "ts_batch": tsBatch(1704067800000, "b")}),
		web.EncodeCursor(ddb.Key{"hardware_id": "AA:BB:CC:DD:EE:FF"}), "", "e30", "bnVsbA", "!", "AAAA=",
		base64.RawURLEncoding.EncodeToString([]byte(`{"hardware_id":1,"ts_batch":[]}`)),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		k, err := web.DecodeCursor(cursor, parts)
		if err != nil || cursor == "" {
			return
		}
		if len(k) != 2 || k["hardware_id"] != "AA:BB:CC:DD:EE:FF" || k["ts_batch"] < from || k["ts_batch"] > to {
			t.Errorf("%q became %v", cursor, k)
		}
		if again, err := web.DecodeCursor(web.EncodeCursor(k), parts); err != nil || again["ts_batch"] != k["ts_batch"] {
			t.Errorf("%v does not come back: %v, %v", k, again, err)
		}
	})
}
