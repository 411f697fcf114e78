package autoscaling

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// maxBody is the size in bytes of the largest request that is read: far above the service's largest request.
const maxBody = 1 << 20

// TargetPrefix is the prefix of X-Amz-Target in requests to the service.
const TargetPrefix = "AnyScaleFrontendService."

// ServeHTTP answers a request of the service's JSON 1.1 protocol.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, _ := strings.CutPrefix(r.Header.Get("X-Amz-Target"), TargetPrefix)
	hold := inflight.AccountOf(w)
	response, err := s.api.Run(name, func() ([]byte, error) { return s.answer(r, name, hold) })
	if err == nil && !hold.Settle(int64(cap(response))) && strings.HasPrefix(name, "Describe") {
		err = throttled(name)
	}
	status := http.StatusOK
	if err != nil {
		e := s.api.Answer(name, err)
		status, response = e.Status, e.body()
	}
	header := w.Header()
	header.Set(awsapi.RequestIDHeader, s.requests.Next())
	header.Set("Content-Type", "application/x-amz-json-1.1")
	s.api.Write(w, status, nil, response)
}

func (s *Service) answer(r *http.Request, name string, hold *budget.Account) ([]byte, error) {
	run, known := operations[name]
	intake := awsapi.Intake{Title: "Application Auto Scaling", MaxBody: maxBody, Running: s.running, Store: s.store,
		Refuse: func(name, message string) error { return serviceError(name, message) }}
	return intake.Serve(r, hold, known, func(body []byte) ([]byte, error) {
		c, err := s.call(r, name, body)
		if err != nil {
			return nil, err
		}
		out, err := run(c, body)
		if err != nil {
			return nil, err
		}
		return json.Marshal(out)
	})
}
