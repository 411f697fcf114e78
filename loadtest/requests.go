package loadtest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// interval is the documented time between two readings of a device.
const interval = 5 * time.Minute

// A kind is one kind of request that a mix can name.
type kind struct {
	carries bool // readings, as many as the part's batch says
	needs   bool // readings that are there before the attack
	build   func(*traffic, Part) request
}

// request is what a kind makes; what all requests share is added later.
type request struct {
	method, path string
	body         any
}

// kinds are the requests of the telemetry API that a mix can name.
var kinds = map[string]kind{
	"ingest":   {carries: true, build: ingest},
	"repeat":   {carries: true, build: repeat},
	"register": {build: register},
	"device":   {build: get("")},
	"latest":   {needs: true, build: get("/readings/latest")},
	"range":    {needs: true, build: readRange},
	"devices":  {build: listDevices},
	"key":      {build: checkKey},
}

type readings struct {
	Readings []telemetryapi.Reading `json:"readings"`
}

// ingest sends the next readings of one device.
func ingest(t *traffic, p Part) request {
	d := t.device(p)
	body := readings{make([]telemetryapi.Reading, t.batch(p))}
	for i := range body.Readings {
		body.Readings[i] = t.next(d)
	}
	t.remember(body)
	return request{http.MethodPost, "/telemetry/readings", body}
}

// repeat sends the oldest readings that are remembered again, as after a lost answer; before there are any, new ones.
func repeat(t *traffic, p Part) request {
	if len(t.recent) == 0 {
		return ingest(t, p)
	}
	return request{http.MethodPost, "/telemetry/readings", t.recent[0]}
}

// register reboots a device: it has a new boot id from here on.
func register(t *traffic, p Part) request {
	d := t.device(p)
	rebooted := *d.boot
	rebooted.ID = uuid.Must(uuid.NewRandomFromReader(t.seeded)).String()
	d.boot = &rebooted
	return request{http.MethodPost, "/telemetry/devices", d.plan.Registration(d.boot)}
}

func get(suffix string) func(*traffic, Part) request {
	return func(t *traffic, p Part) request {
		return request{http.MethodGet, "/telemetry/devices/" + t.device(p).plan.HardwareID + suffix, nil}
	}
}

// readRange reads the hour before a device's newest reading.
func readRange(t *traffic, p Part) request {
	d := t.device(p)
	to := t.start.Add(time.Duration(d.made) * interval)
	q := url.Values{"from": {millis(to.Add(-time.Hour))}, "to": {millis(to)}}
	return request{http.MethodGet, "/telemetry/devices/" + d.plan.HardwareID + "/readings?" + q.Encode(), nil}
}

func listDevices(*traffic, Part) request {
	return request{http.MethodGet, "/telemetry/devices?limit=50", nil}
}

func checkKey(*traffic, Part) request {
	return request{http.MethodGet, "/telemetry/api-keys/self", nil}
}

func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// encode writes a request's body; what the kinds make can always be encoded.
func (r request) encode() ([]byte, error) {
	if r.body == nil {
		return nil, nil
	}
	return json.Marshal(r.body)
}

// source is a device of the population as the generator of its readings.
type source struct {
	plan fleet.Plan
	boot *fleet.Boot
	made int // readings so far
}

func newSource(seed uint64, number int) *source {
	p := fleet.NewPlan(seed, number, interval, fleet.Trouble{})
	return &source{plan: p, boot: p.Events().Next().Boot}
}
