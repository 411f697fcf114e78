package identity

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// panicking is a gate that panics, as an operation may.
type panicking struct{ Gate }

func (panicking) Authenticate(*http.Request, []byte) (*Principal, error) { panic("broken") }

// failing is a gate that runs out of its budget.
type failing struct{ Gate }

func (failing) Authenticate(*http.Request, []byte) (*Principal, error) { return nil, budget.ErrTime }

func TestSTSRespondsAfterPanicsAndErrors(t *testing.T) {
	t.Parallel()
	s, _ := newService(t)
	requestID := "x-amzn-RequestId" // as the service writes it
	for want, gate := range map[string]Gate{
		"500 <Type>Receiver</Type><Code>InternalFailure</Code><Message></Message>":                    panicking{},
		"400 <Type>Sender</Type><Code>ValidationError</Code><Message>Evaluating the policies exceeds": failing{},
	} {
		sts := s.STS()
		sts.gate = gate
		w := httptest.NewRecorder()
		sts.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader("Action=GetCallerIdentity")))
		status, text, _ := strings.Cut(want, " ")
		if body := w.Body.String(); !strings.HasPrefix(w.Result().Status, status) || !strings.Contains(body, text) ||
			!strings.Contains(body, "<RequestId>"+w.Result().Header[requestID][0]+"</RequestId>") {
			t.Errorf("%d %s, want %s", w.Code, body, want)
		}
	}
}
