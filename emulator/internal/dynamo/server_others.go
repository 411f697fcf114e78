package dynamo

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// answerOthers answers requests that are no operation: health checks, CORS preflights, and everything else.
func (s *Service) answerOthers(w http.ResponseWriter, r *http.Request, x *exchange) {
	switch {
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		s.plain(w, r, http.StatusOK, healthy)
	case r.Method == http.MethodOptions && awsapi.Header(r.Header, "Origin") != "":
		s.preflight(w, r)
	case r.Method == http.MethodPost && r.ContentLength == 0:
		s.answer(w, r, x) // without a body the content type does not matter
	default:
		s.plain(w, r, http.StatusNotFound, unknownOperation)
	}
}

func (s *Service) plain(w http.ResponseWriter, r *http.Request, status int, body string) {
	allowOrigin(w, r)
	head := awsapi.AppendHead(nil, &s.engine.Random, []byte(body))
	if r.Method == http.MethodHead {
		body = ""
	}
	s.api.Write(w, status, head, []byte(body))
}

// allowOrigin allows pages of any origin to read the response, as the service does.
func allowOrigin(w http.ResponseWriter, r *http.Request) {
	if awsapi.Header(r.Header, "Origin") != "" {
		header := w.Header()
		header.Set("Access-Control-Allow-Origin", "*")
		header.Set("Access-Control-Expose-Headers", "x-amzn-requestid,x-amzn-errortype,x-amzn-errormessage,x-amz-crc32,Date")
	}
}

func (s *Service) preflight(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	allowOrigin(w, r)
	for asked, granted := range map[string]string{
		"Access-Control-Request-Headers": "Access-Control-Allow-Headers",
		"Access-Control-Request-Method":  "Access-Control-Allow-Methods",
	} {
		if value := r.Header.Get(asked); value != "" {
			header.Set(granted, value)
		}
	}
	header.Set("Access-Control-Max-Age", "172800")
	s.setRequestID(header)
	w.WriteHeader(http.StatusOK)
}

// wellFormed returns an error unless a body that no operation reads is empty or JSON.
func wellFormed(body []byte) error {
	if len(body) == 0 {
		return nil
	}
	r, err := jsonread.New(body)
	if err == nil {
		err = r.Skip()
	}
	if err == nil {
		err = r.End()
	}
	if err != nil {
		return wire.SerializationError("")
	}
	return nil
}

// maxHeader is the size in bytes of the largest request line with headers. (ScyllaDB's tests on AWS, 2025: 400 beyond
// 16 KB. The body of that response is not known.)
const maxHeader = 16 << 10

// headerTooLarge is the response to a request beyond it.
const headerTooLarge = "The request line and the headers are larger than 16 KB.\n"

// headerSize returns about the size of the request line and the headers as they were sent.
func headerSize(r *http.Request) int {
	size := len(r.Method) + len(r.RequestURI) + len(r.Host)
	for name, values := range r.Header {
		for _, value := range values {
			size += len(name) + len(value) + len(": \r\n")
		}
	}
	return size
}
