package s3

import (
	"bufio"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// The checksums of S3, by the NAME in their header x-amz-checksum-NAME.
var checksums = map[string]func() hash.Hash{
	"crc32":     func() hash.Hash { return crc32.NewIEEE() },
	"crc32c":    func() hash.Hash { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) },
	"crc64nvme": func() hash.Hash { return crc64.New(crc64.MakeTable(nvme)) },
	"sha1":      sha1.New,
	"sha256":    sha256.New,
}

// nvme is the reversed polynomial of NVM Express.
const nvme = 0x9a6c9329ac4bc9b5

const checksumPrefix = "X-Amz-Checksum-"

// body reads the content of a request, and verifies its checksums at the end.
type body struct {
	from     io.Reader
	request  *http.Request
	trailers func() http.Header
	sums     map[string]hash.Hash // by header
	payload  hash.Hash            // of the content, if its SHA-256 hash is signed; nil: it is not
	md5      hash.Hash
	size     int64
}

// openBody returns the content of a request: the body, or the chunks in it.
func openBody(r *http.Request) *body {
	b := &body{from: r.Body, request: r, trailers: func() http.Header { return nil }, sums: map[string]hash.Hash{},
		md5: md5.New()}
	signed := r.Header.Get("X-Amz-Content-Sha256")
	if strings.HasPrefix(signed, "STREAMING-") || strings.Contains(r.Header.Get("Content-Encoding"), "aws-chunked") {
		chunks := &chunkReader{from: bufio.NewReaderSize(r.Body, maxChunkLine)}
		b.from, b.trailers = chunks, func() http.Header { return chunks.trailers }
	} else if len(signed) == sha256.Size*2 {
		b.payload = sha256.New()
	}
	for name, sum := range checksums {
		header := http.CanonicalHeaderKey(checksumPrefix + name)
		if r.Header.Get(header) != "" || strings.EqualFold(r.Header.Get("X-Amz-Trailer"), header) {
			b.sums[header] = sum()
		}
	}
	return b
}

// Read reads content. At its end, it returns an error if a checksum or the announced length does not match the content.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	b.size += int64(n)
	b.md5.Write(p[:n])
	if b.payload != nil {
		b.payload.Write(p[:n])
	}
	for _, sum := range b.sums {
		sum.Write(p[:n])
	}
	switch {
	case err == io.EOF:
		if wrong := b.verify(); wrong != nil {
			return n, wrong
		}
	case err == io.ErrUnexpectedEOF:
		return n, errIncompleteBody
	}
	return n, err
}

func (b *body) verify() error {
	h := b.request.Header
	if length := h.Get("X-Amz-Decoded-Content-Length"); length != "" && length != strconv.FormatInt(b.size, 10) {
		return errIncompleteBody
	}
	if want := h.Get("Content-Md5"); want != "" && want != base64.StdEncoding.EncodeToString(b.md5.Sum(nil)) {
		return errBadDigest
	}
	if b.payload != nil && h.Get("X-Amz-Content-Sha256") != hex.EncodeToString(b.payload.Sum(nil)) {
		return errPayloadMismatch
	}
	trailers := b.trailers()
	for header, sum := range b.sums {
		want := h.Get(header)
		if want == "" {
			want = trailers.Get(header)
		}
		if want != base64.StdEncoding.EncodeToString(sum.Sum(nil)) {
			return errBadDigest
		}
	}
	return nil
}

// setChecksums sets the headers of the verified checksums.
func (b *body) setChecksums(header http.Header) {
	for name, sum := range b.sums {
		header.Set(name, base64.StdEncoding.EncodeToString(sum.Sum(nil)))
	}
}

// maxChunkLine is the maximum size in bytes of a line between chunks.
const maxChunkLine = 4 << 10

// maxTrailers is the maximum number of trailers.
const maxTrailers = 16

// chunkReader reads the content encoding aws-chunked, whose chunks may be signed: signatures of chunks are not
// verified. (AWS, "Signature calculations for the authorization header: transferring payload in multiple chunks".)
type chunkReader struct {
	from     *bufio.Reader
	left     uint64 // bytes of the chunk that were not read
	begun    bool
	done     bool
	trailers http.Header
}

// Read reads content. Error: io.ErrUnexpectedEOF if the encoding is invalid or incomplete.
func (c *chunkReader) Read(p []byte) (int, error) {
	if c.done {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	if c.left == 0 {
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	n, err := c.from.Read(p[:min(uint64(len(p)), c.left)])
	c.left -= uint64(n)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// next reads the line before the next chunk. After the last chunk, it reads the trailers and returns io.EOF.
func (c *chunkReader) next() error {
	if c.begun {
		if line, err := c.line(); err != nil || line != "" {
			return io.ErrUnexpectedEOF
		}
	}
	c.begun = true
	line, err := c.line()
	if err != nil {
		return err
	}
	size, _, _ := strings.Cut(line, ";")
	if c.left, err = strconv.ParseUint(strings.TrimSpace(size), 16, 62); err != nil {
		return io.ErrUnexpectedEOF
	}
	if c.left > 0 {
		return nil
	}
	c.done, c.trailers = true, http.Header{}
	for range maxTrailers {
		line, err := c.line()
		if err != nil || line == "" {
			return io.EOF // the last empty line may be missing
		}
		name, value, _ := strings.Cut(line, ":")
		c.trailers.Set(name, strings.TrimSpace(value))
	}
	return io.EOF
}

func (c *chunkReader) line() (string, error) {
	line, err := c.from.ReadSlice('\n')
	if err != nil {
		return "", io.ErrUnexpectedEOF
	}
	return strings.TrimRight(string(line), "\r\n"), nil
}

// randomBits returns random bits for an id.
func randomBits() (hi, lo uint64) {
	b := randomBytes()
	return binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])
}
