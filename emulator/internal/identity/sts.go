package identity

import (
	"encoding/xml"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/url"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// The protocol of STS: AWS's query protocol.
const (
	stsVersion   = "2011-06-15"
	stsNamespace = "https://sts.amazonaws.com/doc/2011-06-15/"
	stsMaxBody   = 64 << 10
)

// STS is the Security Token Service: it identifies callers and issues temporary credentials. It is an http.Handler.
type STS struct {
	*Service
	gate Gate
	api  awsapi.Service[*Error]
	ids  awsapi.IDs // of responses
}

// STS returns the handler of the Security Token Service.
func (s *Service) STS() *STS {
	throttled := func(string) *Error { return newError("Throttling", "Rate exceeded") } // SDKs retry it
	tooMuchWork := func() *Error {
		return newError("ValidationError",
			"Evaluating the policies exceeds the amount of work that the emulator allows for one request.")
	}
	internal := func(text string) *Error { return newError(internalFailure, text) }
	return &STS{
		Service: s, gate: s.Gate("sts"), ids: awsapi.IDs{Seed: rand.Uint64()},
		api: awsapi.Service[*Error]{Name: "sts", Log: s.log, TooMuchWork: tooMuchWork, TooSlow: tooMuchWork, Busy: throttled,
			Internal: internal},
	}
}

// stsCall is one request.
type stsCall struct {
	principal *Principal
	form      url.Values
	work      *budget.Budget // of the request; nil: no limit
}

// ServeHTTP handles a request of the query protocol.
func (s *STS) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := s.ids.Next()
	body, form, err := readForm(r, inflight.AccountOf(w))
	status, text := http.StatusOK, []byte(nil)
	if err == nil {
		text, err = s.api.Run(form.Get("Action"), func() ([]byte, error) { return s.answer(r, body, form, id) })
	}
	if err != nil {
		status, text = s.failure(s.api.Answer(form.Get("Action"), err), id)
	}
	w.Header().Set("Content-Type", "text/xml")
	w.Header()[awsapi.RequestIDHeader] = []string{id}
	s.api.Write(w, status, nil, text)
}

// readForm reads a request's body as a form.
func readForm(r *http.Request, hold *budget.Account) (body []byte, form url.Values, err error) {
	body, err = awsapi.ReadBody(r, nil, hold, stsMaxBody)
	if errors.Is(err, budget.ErrBusy) {
		return nil, nil, err
	}
	if err != nil {
		return nil, nil, newError("RequestEntityTooLarge", "The request is larger than 64 KB.")
	}
	if form, err = url.ParseQuery(string(body)); err != nil {
		return nil, nil, newError("MalformedInput", "The body is not a form.")
	}
	return body, form, nil
}

// answer checks a request, runs its action and encodes the response.
func (s *STS) answer(r *http.Request, body []byte, form url.Values, id string) ([]byte, error) {
	if err := s.store.Readable(); err != nil { // the state in memory may be gone after a restart
		return nil, err
	}
	who, err := s.gate.Authenticate(r, body)
	if err != nil {
		return nil, err
	}
	action := form.Get("Action")
	result, err := s.run(action, &stsCall{who, form, budget.From(r.Context())})
	if err != nil {
		return nil, err
	}
	return xml.Marshal(stsAnswer(action, result, id))
}

func (s *STS) run(action string, c *stsCall) (any, error) {
	switch action {
	case "AssumeRole":
		return s.assumeRole(c)
	case "GetCallerIdentity":
		return getCallerIdentity(c), nil
	case "GetSessionToken":
		return s.getSessionToken(c)
	}
	return nil, newError("InvalidAction", "Could not find operation "+action+" for version "+stsVersion)
}

// stsResponse is a response: ActionResponse with ActionResult and metadata.
type stsResponse struct {
	XMLName   xml.Name
	Namespace string `xml:"xmlns,attr"`
	Result    stsResult
	RequestID string `xml:"ResponseMetadata>RequestId"`
}

type stsResult struct {
	XMLName xml.Name
	Value   any
}

// MarshalXML implements xml.Marshaler: the members of the value become those of the result.
func (r stsResult) MarshalXML(e *xml.Encoder, _ xml.StartElement) error {
	return e.EncodeElement(r.Value, xml.StartElement{Name: r.XMLName})
}

func stsAnswer(action string, result any, id string) stsResponse {
	return stsResponse{
		XMLName: xml.Name{Local: action + "Response"}, Namespace: stsNamespace,
		Result:    stsResult{xml.Name{Local: action + "Result"}, result},
		RequestID: id,
	}
}

// stsError is an error response.
type stsError struct {
	XMLName   xml.Name `xml:"ErrorResponse"`
	Namespace string   `xml:"xmlns,attr"`
	Type      string   `xml:"Error>Type"`
	Code      string   `xml:"Error>Code"`
	Message   string   `xml:"Error>Message"`
	RequestID string   `xml:"RequestId"`
}

// failure returns the response to an error.
func (s *STS) failure(e *Error, id string) (status int, text []byte) {
	code, status := e.QueryCode()
	answer := stsError{Namespace: stsNamespace, Type: "Sender", Code: code, Message: e.Message, RequestID: id}
	if status >= http.StatusInternalServerError {
		answer.Type = "Receiver"
	}
	text, err := xml.Marshal(answer)
	if err != nil {
		s.log.Error("cannot write a response of STS", "error", err)
	}
	return status, text
}
