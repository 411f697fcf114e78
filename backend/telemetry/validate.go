package telemetry

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// The checks below run for up to 10,000 readings per second, so they iterate over bytes. The patterns of model.go
// define the same for the OpenAPI document, and a fuzz test checks that the two agree.

func validHardwareID(s string) bool {
	if len(s) != 17 {
		return false
	}
	for i := range len(s) {
		if i%3 == 2 {
			if s[i] != ':' {
				return false
			}
		} else if !isDigit(s[i]) && (s[i] < 'A' || s[i] > 'F') {
			return false
		}
	}
	return true
}

func validUUID(s string) bool {
	if len(s) != 36 || s[14] != '4' || !strings.ContainsRune("89abAB", rune(s[19])) {
		return false
	}
	for i := range len(s) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return false
			}
		} else if !isHex(s[i]) {
			return false
		}
	}
	return true
}

func validBatchID(s string) bool {
	return validBytes(s, 256, func(c byte) bool {
		return isDigit(c) || isLetter(c) || c == '_' || c == '-' || c == ':'
	})
}

func validFirmware(s string) bool {
	return validBytes(s, 64, func(c byte) bool { return c >= ' ' && c <= '~' })
}

func validSensorName(s string) bool {
	return validBytes(s, 64, func(c byte) bool { return isDigit(c) || isLower(c) || c == '_' }) && isLower(s[0])
}

// validTimestamp checks only the format.
func validTimestamp(s string) bool {
	const layout = "0000-00-00T00:00:00Z"
	if len(s) != len(layout) {
		return false
	}
	for i := range len(s) {
		if s[i] != layout[i] && !(layout[i] == '0' && isDigit(s[i])) {
			return false
		}
	}
	return true
}

func validTimestampMS(ms int64) bool { return ms >= minTimestampMS && ms <= maxTimestampMS }

func validBytes(s string, max int, ok func(byte) bool) bool {
	if s == "" || len(s) > max {
		return false
	}
	for i := range len(s) {
		if !ok(s[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLower(c byte) bool  { return c >= 'a' && c <= 'z' }
func isLetter(c byte) bool { return isLower(c) || c >= 'A' && c <= 'Z' }
func isHex(c byte) bool    { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// exactNumber returns a JSON number that DynamoDB can represent: at most 38 significant digits and a magnitude from
// 1E-130 to below 1E+126. Any zero becomes "0". It returns false for a number that cannot be represented exactly.
func exactNumber(text string) (json.Number, bool) {
	const maxLength = 200 // 0.000…, 130 places, and 38 digits after them
	if len(text) > maxLength {
		return "", false
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(text, "-")), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0", true
	}
	power := 0
	if exponent != "" {
		var err error
		if power, err = strconv.Atoi(exponent); err != nil || power > 10*maxLength || power < -10*maxLength {
			return "", false
		}
	}
	magnitude := len(digits) - 1 - len(fraction) + power // the power of ten of the first significant digit
	if len(strings.TrimRight(digits, "0")) > 38 || magnitude < -130 || magnitude > 125 {
		return "", false
	}
	return json.Number(text), true
}

// invalidReason returns the first field that violates a rule, and the rule; it is empty for a valid reading.
func invalidReason(r *Reading) string {
	switch {
	case !validHardwareID(r.HardwareID):
		return "hardware_id: must be a MAC address in upper case, such as AA:BB:CC:DD:EE:FF"
	case !validBatchID(r.BatchID):
		return "batch_id: must be 1 to 256 letters, digits, '_', '-' or ':'"
	case !validUUID(r.BootID):
		return "boot_id: must be a UUID of version 4"
	case !validFirmware(r.FirmwareVersion):
		return "firmware_version: must be 1 to 64 printable ASCII characters"
	case !validTimestampMS(r.TimestampMS):
		return fmt.Sprintf("timestamp_ms: must be epoch milliseconds from %d (2000-01-01) to %d (2100-01-01)",
			int64(minTimestampMS), int64(maxTimestampMS))
	case r.Sensors == nil:
		return "sensors: is required; it may be empty"
	case r.SensorStatus == nil:
		return "sensor_status: is required; it may be empty"
	}
	return ""
}

// readingKeyBetween returns a check for sort keys of readings between two bounds: DynamoDB rejects a start key outside
// the range.
func readingKeyBetween(from, to string) func(string) bool {
	return func(s string) bool {
		return len(s) > 14 && s[13] == '#' && from <= s && s <= to &&
			validBytes(s[:13], 13, isDigit) && validBatchID(s[14:])
	}
}
