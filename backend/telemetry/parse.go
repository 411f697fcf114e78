package telemetry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// incomingReading is one reading of a request: valid if reason is empty, otherwise rejected for that reason.
type incomingReading struct {
	Reading
	reason string
}

// parseReadings parses {"readings": [...]} in one pass, without reflection. An invalid reading has its own reason
// (TL-R13). Errors: an invalid request, which is broken JSON, an unknown field next to readings, or not 1 to 100
// readings.
func parseReadings(body []byte) ([]incomingReading, error) {
	p := parser{jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true))}
	readings, err := p.request()
	var broken *jsontext.SyntacticError
	switch {
	case errors.As(err, &broken):
		return nil, web.Bad("body", "broken JSON: "+broken.Error())
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, web.Bad("body", "broken JSON: it ends too early")
	}
	return readings, err
}

// parser reads tokens. Its methods return an error only for what fails the whole request.
type parser struct{ *jsontext.Decoder }

func (p parser) request() ([]incomingReading, error) {
	if p.PeekKind() != '{' {
		if err := p.SkipValue(); err != nil {
			return nil, err
		}
		return nil, web.Invalid("body", "must be an object with the field readings")
	}
	var readings []incomingReading
	err := p.object(func(name string) error {
		if name != "readings" || readings != nil {
			return web.Invalid("body."+name, "unknown or repeated field: the body has one field, readings")
		}
		var err error
		readings, err = p.readings()
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(readings) == 0 {
		return nil, web.Invalid("body.readings", "must hold 1 to 100 readings, not 0")
	}
	if _, err := p.ReadToken(); err != io.EOF {
		return nil, web.Bad("body", "broken JSON: data after the object")
	}
	return readings, nil
}

func (p parser) readings() ([]incomingReading, error) {
	if p.PeekKind() != '[' {
		return nil, web.Invalid("body.readings", "must be an array")
	}
	if _, err := p.ReadToken(); err != nil {
		return nil, err
	}
	readings := make([]incomingReading, 0, maxReadings)
	for p.PeekKind() != ']' {
		if len(readings) == maxReadings {
			return nil, web.Invalid("body.readings", "must hold 1 to 100 readings, not more")
		}
		readings = append(readings, incomingReading{})
		if err := p.reading(&readings[len(readings)-1]); err != nil {
			return nil, err
		}
	}
	_, err := p.ReadToken()
	return readings, err
}

// reading parses a reading into r and sets its reason: a field of the wrong type, or otherwise the first violated rule.
func (p parser) reading(r *incomingReading) error {
	if p.PeekKind() != '{' {
		r.reason = "a reading must be an object"
		return p.SkipValue()
	}
	seen := map[string]bool{}
	err := p.object(func(name string) error {
		reason, err := p.field(&r.Reading, name)
		if seen[name] {
			reason = "is given twice"
		}
		seen[name] = true
		if reason != "" && r.reason == "" {
			r.reason = web.Clip(name, 64) + ": " + reason
		}
		return err
	})
	if r.reason == "" {
		r.reason = invalidReason(&r.Reading)
	}
	return err
}

func (p parser) field(r *Reading, name string) (reason string, err error) {
	switch name {
	case "hardware_id":
		return p.text(&r.HardwareID)
	case "batch_id":
		return p.text(&r.BatchID)
	case "boot_id":
		return p.text(&r.BootID)
	case "firmware_version":
		return p.text(&r.FirmwareVersion)
	case "timestamp_ms":
		return p.integer(&r.TimestampMS)
	case "sensors":
		return p.sensors(r)
	case "sensor_status":
		return p.sensorStatus(r)
	}
	return "unknown field", p.SkipValue()
}

func (p parser) text(to *string) (reason string, err error) {
	if p.PeekKind() != '"' {
		return "must be a string", p.SkipValue()
	}
	token, err := p.ReadToken()
	if err == nil {
		*to = token.String()
	}
	return "", err
}

func (p parser) integer(to *int64) (reason string, err error) {
	if p.PeekKind() != '0' {
		return "must be an integer", p.SkipValue()
	}
	token, err := p.ReadToken()
	if err != nil {
		return "", err
	}
	if *to, err = strconv.ParseInt(token.String(), 10, 64); err != nil {
		return "must be an integer of 64 bits", nil
	}
	return "", nil
}

// sensors parses the values. All are optional, and none need be known in advance (TL-R7): a new sensor needs a valid
// name and a number that DynamoDB can represent exactly.
func (p parser) sensors(r *Reading) (reason string, err error) {
	r.Sensors = make(map[string]json.Number, 8)
	return p.sensorObject(func(name string) (string, error) {
		if p.PeekKind() != '0' {
			return "must be a number", p.SkipValue()
		}
		token, err := p.ReadToken()
		if err != nil {
			return "", err
		}
		number, ok := exactNumber(token.String())
		if !ok {
			return "must have at most 38 digits, from 1E-130 to below 1E+126", nil
		}
		if _, repeated := r.Sensors[name]; repeated {
			return "is given twice", nil
		}
		r.Sensors[name] = number
		return "", nil
	})
}

func (p parser) sensorStatus(r *Reading) (reason string, err error) {
	r.SensorStatus = make(map[string]string, 8)
	return p.sensorObject(func(name string) (string, error) {
		var status string
		reason, err := p.text(&status)
		if _, repeated := r.SensorStatus[name]; repeated {
			return "is given twice", err
		}
		r.SensorStatus[name] = status
		if reason == "" && status != "ok" && status != "error" {
			reason = "must be ok or error"
		}
		return reason, err
	})
}

// sensorObject parses an object of up to 64 members with sensor names; value parses a member's value.
func (p parser) sensorObject(value func(name string) (string, error)) (reason string, err error) {
	if p.PeekKind() != '{' {
		return "must be an object", p.SkipValue()
	}
	count := 0
	err = p.object(func(name string) error {
		if count++; count > maxSensors || !validSensorName(name) {
			if reason == "" {
				reason = fmt.Sprintf("%q is the 65th name, or not up to 64 lowercase letters, digits and '_'", web.Clip(name, 64))
			}
			return p.SkipValue()
		}
		memberReason, err := value(name)
		if memberReason != "" && reason == "" {
			reason = name + " " + memberReason
		}
		return err
	})
	return reason, err
}

// object parses an object whose first token is next. member is called when a member's value is next, and must read it.
func (p parser) object(member func(name string) error) error {
	if _, err := p.ReadToken(); err != nil {
		return err
	}
	for p.PeekKind() != '}' {
		token, err := p.ReadToken()
		if err != nil {
			return err
		}
		if err := member(token.String()); err != nil {
			return err
		}
	}
	_, err := p.ReadToken()
	return err
}
