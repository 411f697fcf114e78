package traffic

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// interval is the documented time between two readings of a device.
const interval = 5 * time.Minute

type readings struct {
	Readings []telemetryapi.Reading `json:"readings"`
}

// request returns the next request of a part.
func (t *telemetry) request(number int, p profile.Part) call {
	d := t.sources[t.pick(number, p, len(t.sources))]
	device := "/telemetry/devices/" + d.plan.HardwareID
	switch p.Request {
	case "ingest":
		return t.ingest(d, p)
	case "repeat":
		return t.repeat(d, p)
	case "register":
		return t.reboot(d)
	case "latest":
		return call{http.MethodGet, device + "/readings/latest", nil}
	case "range":
		return t.readRange(d)
	case "devices":
		return call{http.MethodGet, "/telemetry/devices?limit=50", nil}
	case "key":
		return call{http.MethodGet, "/telemetry/api-keys/self", nil}
	}
	return call{http.MethodGet, device, nil}
}

// ingest returns a request with the next readings of one device.
func (t *telemetry) ingest(d *source, p profile.Part) call {
	body := readings{make([]telemetryapi.Reading, t.batchSize(p))}
	for i := range body.Readings {
		body.Readings[i] = t.reading(d)
	}
	t.remember(body)
	return call{http.MethodPost, "/telemetry/readings", body}
}

// repeat returns a request that sends the oldest remembered readings again, as after a lost response. If there are none
// yet, it sends new ones.
func (t *telemetry) repeat(d *source, p profile.Part) call {
	if len(t.recent) == 0 {
		return t.ingest(d, p)
	}
	return call{http.MethodPost, "/telemetry/readings", t.recent[0]}
}

// reboot returns a request that registers a device with a new boot id, which the device uses from then on.
func (t *telemetry) reboot(d *source) call {
	rebooted := *d.boot
	rebooted.ID = uuid.Must(uuid.NewRandomFromReader(t.source)).String()
	d.boot = &rebooted
	return call{http.MethodPost, "/telemetry/devices", d.plan.Registration(d.boot)}
}

// readRange returns a request for the hour before a device's newest reading.
func (t *telemetry) readRange(d *source) call {
	to := t.start.Add(time.Duration(d.made) * interval)
	q := url.Values{"from": {millis(to.Add(-time.Hour))}, "to": {millis(to)}}
	return call{http.MethodGet, "/telemetry/devices/" + d.plan.HardwareID + "/readings?" + q.Encode(), nil}
}

func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }
