package identity

import (
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"

	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The form of STS: AWS's query protocol.
const (
	stsVersion   = "2011-06-15"
	stsNamespace = "https://sts.amazonaws.com/doc/2011-06-15/"
	stsMaxBody   = 64 << 10
)

// STS is the security token service: it tells who asks, and gives access keys for a while. It is an http.Handler.
type STS struct {
	*Service
	gate Gate
}

// STS returns the handler of the service of that name.
func (s *Service) STS() *STS { return &STS{Service: s, gate: s.Gate("sts")} }

// stsCall is one request.
type stsCall struct {
	who  *Principal
	form url.Values
	work *budget.Budget // what the request may still use; nil: no bound
}

// ServeHTTP answers a request of the query protocol.
func (s *STS) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := uuid.NewString()
	result, action, err := s.answer(r, inflight.Of(w))
	status, body := http.StatusOK, any(stsAnswer(action, result, id))
	if err != nil {
		status, body = s.failure(err, id)
	}
	text, err := xml.Marshal(body)
	if err != nil {
		s.log.Error("an answer of STS could not be written", "error", err)
		status, text = http.StatusInternalServerError, nil
	}
	w.Header().Set("Content-Type", "text/xml")
	w.Header()["x-amzn-RequestId"] = []string{id}
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// answer reads and checks a request, and runs its action.
func (s *STS) answer(r *http.Request, hold *budget.Account) (result any, action string, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("an action of STS panicked", "action", action, "panic", p, "stack", string(debug.Stack()))
			result, err = nil, errors.New("a fault of the emulator's own") // which was logged, and is not told
		}
	}()
	body, err := io.ReadAll(io.LimitReader(hold.Reader(r.Context(), r.Body), stsMaxBody+1))
	if errors.Is(err, budget.ErrBusy) {
		return nil, "", refuse("Throttling", "Rate exceeded")
	}
	if err != nil || len(body) > stsMaxBody {
		return nil, "", refuse("RequestEntityTooLarge", "The request is larger than 64 KB.")
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, "", refuse("MalformedInput", "The body is not a form.")
	}
	who, err := s.gate.Authenticate(r, body)
	if err != nil {
		return nil, "", err
	}
	call := &stsCall{who, form, budget.From(r.Context())}
	action = form.Get("Action")
	switch action {
	case "AssumeRole":
		result, err = s.assumeRole(call)
	case "GetCallerIdentity":
		result = getCallerIdentity(call)
	case "GetSessionToken":
		result, err = s.getSessionToken(call)
	default:
		err = refuse("InvalidAction", "Could not find operation "+action+" for version "+stsVersion)
	}
	return result, action, err
}

// budgetRefusal is the answer to a request that its budget ended, nil for any other error. The service documents no bound of
// work, so those words are ours; what waits for memory is throttled, and SDKs try it again.
func budgetRefusal(err error) *Error {
	switch {
	case errors.Is(err, budget.ErrSteps), errors.Is(err, budget.ErrBytes), errors.Is(err, budget.ErrTime):
		return refuse("ValidationError", "The policies that decide about the request take more work than the emulator allows one request.")
	case errors.Is(err, budget.ErrBusy):
		return refuse("Throttling", "Rate exceeded")
	}
	return nil
}

// stsResponse is an answer: ActionResponse with ActionResult and its metadata.
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

// MarshalXML implements xml.Marshaler: the members of the value stand in the result.
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

// stsError is the answer to what was refused.
type stsError struct {
	XMLName   xml.Name `xml:"ErrorResponse"`
	Namespace string   `xml:"xmlns,attr"`
	Type      string   `xml:"Error>Type"`
	Code      string   `xml:"Error>Code"`
	Message   string   `xml:"Error>Message"`
	RequestID string   `xml:"RequestId"`
}

// failure is the answer to an error: any that is not the service's own is a fault of ours.
func (s *STS) failure(err error, id string) (int, any) {
	var refusal *Error
	if text, ok := store.Unavailable(err); ok { // which is logged where it happens
		return http.StatusInternalServerError, stsError{Namespace: stsNamespace, Type: "Receiver", Code: "InternalFailure", Message: text, RequestID: id}
	}
	if ended := budgetRefusal(err); ended != nil {
		err = ended
	}
	if !errors.As(err, &refusal) {
		s.log.Error("STS failed for a reason of the emulator's own", "error", err)
		return http.StatusInternalServerError, stsError{Namespace: stsNamespace, Type: "Receiver", Code: "InternalFailure", RequestID: id}
	}
	code, status := refusal.QueryCode()
	return status, stsError{Namespace: stsNamespace, Type: "Sender", Code: code, Message: refusal.Message, RequestID: id}
}
