package awsapi

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// ErrEncoding reports a body whose Content-Encoding is unknown, or that is not in the format of its encoding. If the
// body is too large after decompression, the error is also ErrTooLarge.
var ErrEncoding = errors.New("the request's Content-Encoding cannot be decoded")

// ReadCompressedBody is ReadBody for services that accept compressed bodies: gzip, and deflate, which is the format of
// zlib (RFC 9110, section 8.4.1). limit also applies after decompression. It decompresses into the memory of dst, and
// yields to other long requests. sent is the compressed body, which the signature covers; nil if the body is not
// compressed. A compressed body is read whole first, so that decompression never waits for the client. It can also
// return ErrEncoding.
func ReadCompressedBody(r *http.Request, dst []byte, memory *budget.Account, limit int) (body, sent []byte, err error) {
	open := decoderOf(Header(r.Header, "Content-Encoding"))
	if open == nil {
		body, err = ReadBody(r, dst, memory, limit)
		return body, nil, err
	}
	if sent, err = ReadBody(r, nil, memory, limit); err != nil {
		return dst, sent, err
	}
	decoded, err := open(bytes.NewReader(sent))
	if err != nil {
		return dst, sent, fmt.Errorf("%w: %w", ErrEncoding, err)
	}
	work := budget.New(r.Context(), budget.Limits{Pool: memory.Pool()})
	defer work.Close()
	body, err = source{decoded, int64(len(sent)), decompressedAtOnce, work}.read(r.Context(), dst, memory, limit)
	if err != nil && !errors.Is(err, budget.ErrBusy) {
		err = fmt.Errorf("%w: %w", ErrEncoding, err)
	}
	return body, sent, err
}

// decoderOf returns the decompressor for a Content-Encoding, nil for a body that is not compressed. AWS's documentation
// of several JSON services calls such bodies amz-1.0.
func decoderOf(encoding string) func(sent *bytes.Reader) (io.Reader, error) {
	switch strings.ToLower(encoding) {
	case "", "identity", "amz-1.0":
		return nil
	case "gzip":
		return openMembers
	case "deflate":
		return func(sent *bytes.Reader) (io.Reader, error) { return zlib.NewReader(sent) }
	}
	return func(*bytes.Reader) (io.Reader, error) { return nil, fmt.Errorf("the encoding %q is unknown", encoding) }
}

// members reads the members of a gzip file, one after another. Data after the last one is ignored, as by the service
// (ScyllaDB's test_compressed_request.py, run against DynamoDB in 2026).
type members struct {
	sent    *bytes.Reader
	current *gzip.Reader
}

func openMembers(sent *bytes.Reader) (io.Reader, error) {
	first, err := gzip.NewReader(sent)
	if err != nil {
		return nil, err
	}
	first.Multistream(false)
	return &members{sent, first}, nil
}

// Read implements io.Reader. Between two members it returns no bytes, so that the caller can yield: a body can consist
// of a million empty members.
func (m *members) Read(p []byte) (int, error) {
	n, err := m.current.Read(p)
	if err != io.EOF {
		return n, err
	}
	if m.current.Reset(m.sent) != nil {
		return n, io.EOF
	}
	m.current.Multistream(false)
	return n, nil
}
