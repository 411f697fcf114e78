package kinesis

import (
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// maxBody is the maximum size of a request in bytes: PutRecords with 10 MB in base64.
const maxBody = 16 << 20

// TargetPrefix is the prefix of X-Amz-Target in requests to the service.
const TargetPrefix = "Kinesis_20131202."

// ServeHTTP handles a request in JSON 1.1 or CBOR, and responds in the same format.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, _ := strings.CutPrefix(r.Header.Get("X-Amz-Target"), TargetPrefix)
	form, hold := codecOf(r), inflight.AccountOf(w)
	answer, err := s.api.Run(name, func() ([]byte, error) { return s.answer(r, name, form, hold) })
	if err == nil && !hold.Settle(int64(cap(answer))) && !strings.HasPrefix(name, "Put") {
		err = throttled(name)
	}
	status := http.StatusOK
	if err != nil {
		e := s.api.Answer(name, err)
		status, answer = e.Status, e.body(form)
	}
	header := w.Header()
	header.Set(awsapi.RequestIDHeader, s.requests.Next())
	header.Set("Content-Type", form.contentType)
	s.api.Write(w, status, nil, answer)
}

func (s *Service) answer(r *http.Request, name string, form codec, hold *budget.Account) ([]byte, error) {
	run, known := operations[name]
	intake := awsapi.Intake{Title: "Kinesis", MaxBody: maxBody, Running: s.running, Store: s.store,
		Refuse: func(name, message string) error { return kinesisError(name, message) }}
	return intake.Serve(r, hold, known, func(body []byte) ([]byte, error) {
		c, err := s.call(r, name, body)
		if err != nil {
			return nil, err
		}
		out, err := run(c, body, form.decode)
		if err != nil || out == nil {
			return nil, err
		}
		return form.encode(out)
	})
}
