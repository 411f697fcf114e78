package replay

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// Account is an account of Cosmos DB.
type Account struct {
	Endpoint string // such as https://127.0.0.1:8081/
	Key      string // in base64
	Client   *http.Client
}

// cosmosSender sends signed requests to an account, without retries.
type cosmosSender struct {
	endpoint string // without a slash at its end
	key      []byte
	client   *http.Client
}

func newCosmosSender(a *Account) (*cosmosSender, error) {
	key, err := base64.StdEncoding.DecodeString(a.Key)
	if err != nil {
		return nil, fmt.Errorf("the key of Cosmos DB is not base64: %w", err)
	}
	client := *a.Client
	client.Timeout = requestTimeout
	return &cosmosSender{strings.TrimRight(a.Endpoint, "/"), key, &client}, nil
}

// send sends a recorded request with the values that the target generated, and reads the response. An error means that
// the target does not answer.
func (s *cosmosSender) send(ctx context.Context, e *recording.Entry, g *generatedValues) (response, error) {
	at := parseAddress(e.Path, g)
	r, err := http.NewRequestWithContext(ctx, e.Method, s.endpoint+at.path, bytes.NewReader(g.translateDocument(e.Body())))
	if err != nil {
		return response{}, err
	}
	for name, value := range e.Headers {
		r.Header.Set(name, g.header(at.container, name, value))
	}
	date := time.Now().UTC().Format(http.TimeFormat)
	r.Header.Set("X-Ms-Date", date)
	r.Header.Set("Authorization", s.authorization(e.Method, at, date))
	got, err := s.client.Do(r)
	if err != nil {
		return response{}, err
	}
	defer got.Body.Close()
	out := response{status: got.StatusCode, header: got.Header}
	if out.body, err = io.ReadAll(got.Body); err != nil {
		return response{}, err
	}
	if !json.Valid(out.body) { // a page of the web server in front of the service
		out.body = nil
	}
	if out.status >= http.StatusBadRequest {
		out.err = errorCode(out.status, out.body)
	}
	g.learnHeaders(at.container, e.AnswerHeaders, got.Header)
	return out, nil
}

// errorCode returns the code in an error's body, or that of the status without one.
func errorCode(status int, body []byte) string {
	var said struct{ Code string }
	_ = json.Unmarshal(body, &said) // without a body there is no code
	if said.Code == "" {
		return strings.ReplaceAll(http.StatusText(status), " ", "")
	}
	return said.Code
}

// authorization returns the header that signs a request with the account's key ("Access control on Azure Cosmos DB
// resources": method, kind of resource, link and date, all but the link in lower case).
func (s *cosmosSender) authorization(method string, at address, date string) string {
	mac := hmac.New(sha256.New, s.key)
	_, _ = io.WriteString(mac, strings.ToLower(method)+"\n"+at.kind+"\n"+at.link+"\n"+strings.ToLower(date)+"\n\n")
	return url.QueryEscape("type=master&ver=1.0&sig=" + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

// address is the resource of a request.
type address struct {
	path      string // escaped
	kind      string // as in signatures, such as docs
	link      string // as in signatures: of the resource, or of a feed's parent
	container string // the recorded link of the container, or what there is of it
}

// parseAddress reads a recorded path. Resource ids become those that the target generated.
func parseAddress(path string, g *generatedValues) address {
	recorded := strings.Split(strings.Trim(path, "/"), "/")
	escaped, names := make([]string, len(recorded)), make([]string, len(recorded))
	for i, part := range recorded {
		escaped[i], names[i] = part, part
		if name, err := url.PathUnescape(part); err == nil && i%2 == 1 {
			names[i] = name
			if generated, ok := g.replacement(name); ok {
				escaped[i], names[i] = url.PathEscape(generated), generated
			}
		}
	}
	at := address{path: "/" + strings.Join(escaped, "/"), container: strings.Join(recorded[:min(4, len(recorded))], "/")}
	n := len(names)
	at.kind, at.link = strings.ToLower(names[max(0, n-2+n%2)]), strings.Join(names[:n-n%2], "/")
	switch at.kind {
	case "offers": // signatures have the resource id alone
		at.link = strings.ToLower(strings.TrimPrefix(at.link, "offers/"))
	case "operations": // signed like their container
		at.kind, at.link = "colls", strings.Join(names[:min(4, n)], "/")
	}
	return at
}
