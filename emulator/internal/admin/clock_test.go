package admin

import "testing"

func TestClockRoutes(t *testing.T) {
	t.Parallel()
	d := newTestAPI()
	want(t, d.do("GET", "/_tabletop/clock", ""), 200, `{"now":"2026-01-02T03:04:05Z","frozen":true,"speed":1}`)
	want(t, d.do("POST", "/_tabletop/clock/advance", `{"duration":"1h30m"}`), 200, `"now":"2026-01-02T04:34:05Z"`)
	want(t, d.do("POST", "/_tabletop/clock/advance", `{"duration":"a while"}`), 422, "body.duration")
	want(t, d.do("POST", "/_tabletop/clock/advance", `{"duration":"-1s"}`), 422, "cannot go back")
	want(t, d.do("POST", "/_tabletop/clock/advance", `{}`), 422, "duration")
	want(t, d.do("POST", "/_tabletop/clock/speed", `{"speed":60}`), 200, `"frozen":true,"speed":60`)
	want(t, d.do("POST", "/_tabletop/clock/speed", `{"speed":0}`), 422, "body.speed")
	want(t, d.do("POST", "/_tabletop/clock/resume", ""), 200, `"frozen":false,"speed":60`)
	want(t, d.do("POST", "/_tabletop/clock/freeze", ""), 200, `"frozen":true`)
	want(t, d.do("PUT", "/_tabletop/clock", `{"frozen":false,"speed":0.5}`), 200, `"frozen":false,"speed":0.5`)
	want(t, d.do("PUT", "/_tabletop/clock", `{"now":"2026-01-02T03:04:05Z"}`), 422, "body.now")
}
