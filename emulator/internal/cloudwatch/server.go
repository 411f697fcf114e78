package cloudwatch

import (
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// maxBody is the size in bytes of the largest request after decompression: that of PutMetricData.
const maxBody = 1 << 20

// operation is an operation, with the constructor of its input.
type operation struct {
	input func() any
	run   func(c *caller, in any) (any, error)
}

func define[I, O any](run func(c *caller, in *I) (*O, error)) operation {
	return operation{
		input: func() any { return new(I) },
		run: func(c *caller, in any) (any, error) {
			out, err := run(c, in.(*I))
			if err != nil { // avoids a nil *O in an interface
				return nil, err
			}
			return out, nil
		},
	}
}

// operations returns all operations by name.
func operations() map[string]operation {
	return map[string]operation{
		"DeleteAlarms":            define(deleteAlarms),
		"DescribeAlarmHistory":    define(describeAlarmHistory),
		"DescribeAlarms":          define(describeAlarms),
		"DescribeAlarmsForMetric": define(describeAlarmsForMetric),
		"DescribeInsightRules":    define(describeInsightRules),
		"DisableAlarmActions":     define(disableAlarmActions),
		"EnableAlarmActions":      define(enableAlarmActions),
		"GetInsightRuleReport":    define(getInsightRuleReport),
		"GetMetricData":           define(getMetricData),
		"GetMetricStatistics":     define(getMetricStatistics),
		"ListMetrics":             define(listMetrics),
		"ListTagsForResource":     define(listTagsForResource),
		"PutMetricAlarm":          define(putMetricAlarm),
		"PutMetricData":           define(putMetricData),
		"SetAlarmState":           define(setAlarmState),
		"TagResource":             define(tagResource),
		"UntagResource":           define(untagResource),
	}
}

// ServeHTTP handles a request of any of the protocols.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	requestID := s.ids.Next()
	hold := inflight.AccountOf(w)
	sent, body, err := readBody(r, hold)
	c := codecOf(r, body)
	name := c.operation(r)
	var answer []byte
	if err == nil {
		answer, err = s.api.Run(name, func() ([]byte, error) { return s.answer(r, c, name, requestID, sent, body) })
	}
	if err == nil && !hold.Settle(int64(cap(answer))) && isReadOnly(name) {
		answer, err = nil, throttled(name)
	}
	status := http.StatusOK
	var failed *Error
	if err != nil {
		failed = s.api.Answer(name, err)
		status, answer = failed.Status, c.encodeError(requestID, failed)
	}
	c.header(w.Header(), failed)
	w.Header().Set(awsapi.RequestIDHeader, requestID)
	s.api.Write(w, status, nil, answer)
}

// newAPI returns the service's errors for failures that any service's requests can have.
func newAPI(log *slog.Logger) awsapi.Service[*Error] {
	return awsapi.Service[*Error]{Name: "cloudwatch", Log: log, TooMuchWork: tooMuchWork, TooSlow: tooMuchWork,
		Busy: throttled, Internal: internalError}
}

// isReadOnly reports whether an operation only reads, so that its response may be withheld if there is no memory for
// it.
func isReadOnly(name string) bool {
	return strings.HasPrefix(name, "Get") || strings.HasPrefix(name, "List") || strings.HasPrefix(name, "Describe")
}

// answer runs an operation. sent is the body as it was sent, which the request's signature covers.
func (s *Service) answer(r *http.Request, c codec, name, requestID string, sent, body []byte) ([]byte, error) {
	op, known := s.operations[name]
	if !known {
		return nil, unknownOperation(name)
	}
	if err := s.running.Enter(r.Context()); err != nil {
		return nil, err
	}
	defer s.running.Leave()
	if err := s.store.Readable(); err != nil { // the state in memory may be gone after a restart
		return nil, err
	}
	who, err := s.authenticate(r, sent)
	if err != nil {
		return nil, err
	}
	in := op.input()
	if err := c.decode(body, in); err != nil {
		return nil, malformed(err)
	}
	by := s.caller(r, who)
	if err := by.permit(name, in); err != nil {
		return nil, err
	}
	out, err := op.run(by, in)
	if err != nil {
		return nil, err
	}
	return c.encode(name, requestID, out)
}

// readBody reads a body as it was sent, and decompresses it.
func readBody(r *http.Request, hold *budget.Account) (sent, body []byte, err error) {
	body, sent, err = awsapi.ReadCompressedBody(r, nil, hold, maxBody)
	switch {
	case err == nil && sent == nil:
		return body, body, nil
	case err == nil:
		return sent, body, nil
	case errors.Is(err, budget.ErrBusy):
		return nil, nil, err
	case errors.Is(err, awsapi.ErrTooLarge):
		return nil, nil, &Error{http.StatusRequestEntityTooLarge, "RequestEntityTooLargeException", "RequestEntityTooLarge",
			"The request is larger than 1 MB."}
	}
	return nil, nil, malformed(err)
}
