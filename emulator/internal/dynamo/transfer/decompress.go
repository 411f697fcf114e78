package transfer

import (
	"bufio"
	"compress/gzip"
	"io"

	"github.com/klauspost/compress/zstd"
)

// The compressions of imported objects.
const (
	uncompressed = "NONE"
	gzipped      = "GZIP"
	zstandard    = "ZSTD"
)

// maxWindow is the most memory in bytes that a ZSTD frame may ask for, four times what the format's specification wants
// decoders to allow (RFC 8878, "Window Descriptor").
const maxWindow = 32 << 20

// decompress returns the content of an object. An empty object is empty whatever its compression.
func decompress(object io.Reader, compression string) (io.ReadCloser, error) {
	in := bufio.NewReader(object)
	if _, err := in.Peek(1); err == io.EOF {
		return io.NopCloser(in), nil
	}
	switch compression {
	case gzipped:
		return gzip.NewReader(in)
	case zstandard:
		d, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return io.NopCloser(in), nil
}
