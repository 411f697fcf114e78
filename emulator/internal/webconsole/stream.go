package webconsole

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// heartbeat is how often a stream without events shows that it is alive, by the machine's clock.
const heartbeat = 15 * time.Second

// stream is a response of server-sent events ("Server-sent events" in the HTML standard).
type stream struct {
	w          http.ResponseWriter
	controller *http.ResponseController
}

// serveStream streams the events of s, which run writes, until the browser leaves or the emulator is closed.
func (c *console) serveStream(w http.ResponseWriter, r *http.Request, s subscriber,
	run func(*stream, <-chan struct{})) {
	if r.Method != http.MethodGet {
		refuseMethod(w, http.MethodGet)
		return
	}
	if r.ContentLength != 0 { // it would have to be read before the stream begins
		control.WriteProblem(w, http.StatusBadRequest, "a stream of events takes no body")
		return
	}
	if err := c.watchers.add(s); err != nil {
		control.WriteProblem(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	defer c.watchers.remove(s)
	out := &stream{w, http.NewResponseController(w)}
	_ = out.controller.SetReadDeadline(time.Time{}) // a stream lasts; writers in tests have no deadline
	w.Header().Set("Content-Type", "text/event-stream")
	if out.comment("open") != nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-r.Context().Done():
		case <-c.watchers.ended:
		}
	}()
	run(out, done)
}

// event writes an event, with its data as JSON. An empty name is that of messages.
func (s *stream) event(name string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	if name != "" {
		name = "event: " + name + "\n"
	}
	_, err = s.w.Write(append(append([]byte(name+"data: "), text...), "\n\n"...))
	return err
}

// comment writes a line that browsers ignore, and sends everything.
func (s *stream) comment(text string) error {
	if _, err := s.w.Write([]byte(": " + text + "\n\n")); err != nil {
		return err
	}
	return s.controller.Flush()
}
