package dynamo

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// minPacked is the minimum size in bytes of the responses that the service compresses for clients that accept it: 4 KB
// (ScyllaDB's test_compressed_response.py, run on DynamoDB in 2025 and 2026).
const minPacked = 4 << 10

// packer compresses to gzip or zlib.
type packer interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// packers are the compressors by encoding. They are reused, because each takes some hundred kilobytes of memory.
var packers = map[string]*poison.Pool{
	"gzip":    {New: func() any { return gzip.NewWriter(nil) }},
	"deflate": {New: func() any { return zlib.NewWriter(nil) }},
}

// pack compresses a body. encoding is gzip or deflate.
func pack(encoding string, body []byte) []byte {
	p := packers[encoding].Get().(packer)
	defer packers[encoding].Put(p)
	out := bytes.NewBuffer(make([]byte, 0, len(body)/2))
	p.Reset(out)
	_, _ = p.Write(body) // a Buffer does not fail
	_ = p.Close()
	return out.Bytes()
}

// acceptedEncoding returns the encoding of a large response for an Accept-Encoding header: gzip, deflate, or empty for
// none. The highest quality value decides, then the order in the header; * stands for the encodings that the header
// does not name, and comes last. The service ignores identity, and reads malformed values as this function does
// (ScyllaDB's test_compressed_response.py).
func acceptedEncoding(accept string) string {
	best, highest := "", 0.0
	named, others := map[string]bool{}, 0.0
	for entry := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(entry, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		q := quality(parameters)
		switch name {
		case "*":
			others = max(others, q)
		case "gzip", "deflate":
			if named[name] = true; q > highest {
				best, highest = name, q
			}
		}
	}
	for _, name := range []string{"gzip", "deflate"} {
		if !named[name] && others > highest {
			return name
		}
	}
	return best
}

// quality returns the quality value in the parameters of an encoding, at most 1. A missing or malformed one is 1.
func quality(parameters string) float64 {
	_, value, found := strings.Cut(parameters, "q=")
	if !found {
		return 1
	}
	value, _, _ = strings.Cut(value, ";")
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsNaN(q) || q > 1 {
		return 1
	}
	return max(q, 0)
}
