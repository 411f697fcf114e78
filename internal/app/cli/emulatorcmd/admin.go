package emulatorcmd

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

	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/indented"
)

// AdminFlags holds the flags that name the running emulator a command talks to.
type AdminFlags struct{ Endpoint string }

func (f *AdminFlags) bind(flags *pflag.FlagSet) {
	flags.StringVar(&f.Endpoint, "endpoint", "http://127.0.0.1:8000", "URL of a running emulator.")
}

// adminTimeout is how long an emulator may take to respond: advancing its clock by years makes much work due.
const adminTimeout = 5 * time.Minute

// Call sends a request to the emulator's admin API, below /_tabletop. in is the request's JSON body, or nil for none;
// out receives the response's, or is nil to ignore it. Errors: a refusal by the emulator, in its own words.
func (f *AdminFlags) Call(ctx context.Context, method, path string, in, out any) error {
	body, err := f.open(ctx, method, path, in)
	if err != nil {
		return err
	}
	defer body.Close()
	if out == nil {
		return nil
	}
	if err := json.NewDecoder(body).Decode(out); err != nil {
		return fmt.Errorf("%s is not an emulator (%v): correct --endpoint", f.Endpoint, err)
	}
	return nil
}

// printJSON prints what the emulator's admin API returns for a path, indented.
func (f *AdminFlags) printJSON(ctx context.Context, out io.Writer, path string) error {
	var shown json.RawMessage
	if err := f.Call(ctx, http.MethodGet, path, nil, &shown); err != nil {
		return err
	}
	return indented.WriteJSON(out, shown)
}

// Download returns what the emulator's admin API returns for a path, which the caller reads and closes.
func (f *AdminFlags) Download(ctx context.Context, path string) (io.ReadCloser, error) {
	return f.open(ctx, http.MethodGet, path, nil)
}

// open sends a request like Call and returns the response's body, which the caller reads and closes.
func (f *AdminFlags) open(ctx context.Context, method, path string, in any) (io.ReadCloser, error) {
	response, err := f.send(ctx, &http.Client{Timeout: adminTimeout}, method, path, in)
	if err != nil {
		return nil, err
	}
	return response.Body, nil
}

// stream is like open, but once the response has begun, reading it has no time limit.
func (f *AdminFlags) stream(ctx context.Context, method, path string, in any) (*http.Response, error) {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, ResponseHeaderTimeout: adminTimeout,
		DisableKeepAlives: true}
	return f.send(ctx, &http.Client{Transport: transport}, method, path, in)
}

// send sends a request and returns the response. Errors: a response that reports a problem.
func (f *AdminFlags) send(ctx context.Context, client *http.Client, method, path string,
	in any) (*http.Response, error) {
	if err := checkURL(f.Endpoint); err != nil {
		return nil, err
	}
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(f.Endpoint, "/")+"/_tabletop"+path, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := client.Do(r)
	if err != nil {
		return nil, command.Usagef("cannot reach an emulator at %s (%v): start one with tabletop emulator, or set --endpoint",
			f.Endpoint, causeOf(err))
	}
	if response.StatusCode >= http.StatusBadRequest {
		defer response.Body.Close()
		return nil, f.problem(response)
	}
	return response, nil
}

// checkURL returns a usage error for an --endpoint that is not the URL of a server.
func checkURL(endpoint string) error {
	if u, err := url.Parse(endpoint); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return command.Usagef("--endpoint %q is not a URL: use one such as http://127.0.0.1:8000", endpoint)
	}
	return nil
}

// causeOf returns the cause of a failed request, without its method and URL.
func causeOf(err error) error {
	var request *url.Error
	if errors.As(err, &request) {
		return request.Err
	}
	return err
}

// problem returns the error that a response describes.
func (f *AdminFlags) problem(response *http.Response) error {
	var details struct {
		Detail string
		Errors []struct{ Message, Location string }
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(&details); err != nil || details.Detail == "" {
		return command.Usagef("%s is not an emulator (it returned %s): correct --endpoint", f.Endpoint, response.Status)
	}
	if len(details.Errors) == 0 {
		return errors.New(details.Detail)
	}
	problems := make([]string, len(details.Errors)) // more specific than the detail
	for i, one := range details.Errors {
		problems[i] = strings.TrimPrefix(one.Location, "body.") + ": " + one.Message
	}
	return command.Usagef("%s", strings.Join(problems, "; "))
}
