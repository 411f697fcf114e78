package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client sends JSON requests to a backend, without retries. A nil HTTP is http.DefaultClient.
type Client struct {
	BaseURL string // such as http://127.0.0.1:8080
	HTTP    *http.Client
}

// Call is a request. In, if not nil, is sent as JSON; the JSON of the response is decoded into Out, if that is not nil.
// A Body instead of In is sent as it is; an Out that is a *[]byte gets the response body as it is.
type Call struct {
	Method, Path string
	Header       http.Header
	In           any
	Body         []byte
	Out          any
	Once         bool // a Caller does not repeat it when the response is lost, and returns ErrResponseLost
}

// Do sends a request once and returns the status of the response, 0 without one. Errors: a *Problem for a response that
// is not 2xx.
func (c *Client) Do(ctx context.Context, call Call) (int, error) {
	req, err := c.request(ctx, call)
	if err != nil {
		return 0, withoutQuery(err)
	}
	res, err := c.client().Do(req)
	if err != nil {
		return 0, withoutQuery(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, &truncatedResponse{fmt.Sprintf("%s %s: the response was cut short", call.Method, call.shownPath()), err}
	}
	if res.StatusCode/100 != 2 {
		return res.StatusCode, decodeProblem(req, res.StatusCode, body)
	}
	return res.StatusCode, call.decode(body)
}

// shownPath returns the path for errors, without the query: that of a presigned URL gives access to a file.
func (c Call) shownPath() string {
	path, _, _ := strings.Cut(c.Path, "?")
	return path
}

// withoutQuery returns the error of a request with its URL as in shownPath.
func withoutQuery(err error) error {
	if urlError, ok := errors.AsType[*url.Error](err); ok {
		urlError.URL, _, _ = strings.Cut(urlError.URL, "?")
	}
	return err
}

func (c Call) decode(body []byte) error {
	if c.Out == nil {
		return nil
	}
	if raw, ok := c.Out.(*[]byte); ok {
		*raw = body
		return nil
	}
	if err := json.Unmarshal(body, c.Out); err != nil {
		return fmt.Errorf("%s %s: the response is not the expected JSON: %w", c.Method, c.shownPath(), err)
	}
	return nil
}

func (c *Client) request(ctx context.Context, call Call) (*http.Request, error) {
	body := call.Body
	if call.In != nil {
		var err error
		if body, err = json.Marshal(call.In); err != nil {
			return nil, err
		}
	}
	address := call.Path
	if !strings.Contains(address, "://") { // a presigned URL has its own host
		address = strings.TrimSuffix(c.BaseURL, "/") + address
	}
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, call.Method, address, reader)
	if err != nil {
		return nil, err
	}
	if call.In != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, values := range call.Header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	return req, nil
}

func (c *Client) client() *http.Client {
	if c.HTTP != nil {
		return c.HTTP
	}
	return http.DefaultClient
}

// HTTPClient returns a client that keeps this many connections open, with a timeout of 30 s.
func HTTPClient(connections int) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = connections, connections
	return &http.Client{Transport: transport, Timeout: 30 * time.Second}
}

// truncatedResponse is a response that ended prematurely.
type truncatedResponse struct {
	text string
	err  error
}

func (e *truncatedResponse) Error() string { return e.text + ": " + e.err.Error() }
func (e *truncatedResponse) Unwrap() error { return e.err }
