package service

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"
)

func (w *world) requests(sc *godog.ScenarioContext) {
	sc.Step(`^the client compresses its requests with (gzip|deflate)$`, func(encoding string) {
		w.sendThrough(&compressor{encoding: encoding, compresses: true})
	})
	sc.Step(`^the client says that its requests are compressed with (gzip|deflate), although they are not$`,
		func(encoding string) { w.sendThrough(&compressor{encoding: encoding}) })
	sc.Step(`^the response was compressed with (gzip|deflate)$`, func(encoding string) error {
		if got := w.compressor.received; got != encoding {
			return fmt.Errorf("its encoding is %q", got)
		}
		return nil
	})
}

// sendThrough makes the scenario's client use a compressor.
func (w *world) sendThrough(c *compressor) {
	w.compressor = c
	w.Once = w.Target.DynamoDB(noRetries, func(o *dynamodb.Options) {
		o.HTTPClient = &http.Client{Transport: c}
		o.DisableValidateResponseChecksum = true // of the compressed response
	})
}

// compressor sends requests with a Content-Encoding, and accepts responses in the same one.
type compressor struct {
	encoding   string // gzip or deflate
	compresses bool   // otherwise only the header says so
	received   string // encoding of the last response
}

func (c *compressor) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if c.compresses {
		if body, err = c.compress(body); err != nil {
			return nil, err
		}
	}
	r = r.Clone(r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header.Del("Content-Length")
	r.Header.Set("Content-Encoding", c.encoding)
	r.Header.Set("Accept-Encoding", c.encoding)
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if c.received = answer.Header.Get("Content-Encoding"); c.received == "" {
		return answer, nil
	}
	defer answer.Body.Close()
	if body, err = c.decompress(answer.Body); err != nil {
		return nil, err
	}
	answer.Header.Del("Content-Encoding")
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return answer, nil
}

func (c *compressor) compress(body []byte) ([]byte, error) {
	var out bytes.Buffer
	var to io.WriteCloser = gzip.NewWriter(&out)
	if c.encoding == "deflate" {
		to = zlib.NewWriter(&out)
	}
	if _, err := to.Write(body); err != nil {
		return nil, err
	}
	err := to.Close()
	return out.Bytes(), err
}

func (c *compressor) decompress(body io.Reader) ([]byte, error) {
	var from io.Reader
	var err error
	if c.received == "deflate" {
		from, err = zlib.NewReader(body)
	} else {
		from, err = gzip.NewReader(body)
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(from)
}
