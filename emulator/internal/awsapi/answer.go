package awsapi

import (
	"hash/crc32"
	"net/http"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/random"
)

// RequestIDHeader is the header of a response's id, as the services spell it. HTTP ignores the case; a reader of a dump
// may not.
const RequestIDHeader = "x-amzn-RequestId"

// checksumHeader is the header of the CRC32 checksum of DynamoDB's responses.
const checksumHeader = "x-amz-crc32"

// server is the value of the header Server in DynamoDB's responses.
var server = []string{"Server"}

// Identify sets the headers of every response of DynamoDB: server, request id, checksum and length. The values of those
// that differ share one allocation.
func Identify(header http.Header, ids *random.Stream, body []byte) {
	var buf [longIDLength + 2*20]byte
	text := AppendLongID(buf[:0], ids)
	text = strconv.AppendUint(text, uint64(crc32.ChecksumIEEE(body)), 10)
	checksumEnd := len(text)
	text = strconv.AppendInt(text, int64(len(body)), 10)
	all := string(text)
	values := &[3]string{all[:longIDLength], all[longIDLength:checksumEnd], all[checksumEnd:]}
	header[RequestIDHeader] = values[0:1:1]
	header[checksumHeader] = values[1:2:2]
	header["Content-Length"] = values[2:3:3]
	header["Server"] = server
}

// Write writes a response whose headers are set, and reports whether the client took it. If not, the memory of body
// must not be reused: HTTP/2 ends a Write when the stream is reset, even while a frame of body is being written.
func (s *Service[E]) Write(w http.ResponseWriter, status int, body []byte) bool {
	w.WriteHeader(status)
	_, err := w.Write(body)
	if err != nil {
		s.Log.Debug("the client did not take its answer", "service", s.Name, "error", err)
	}
	return err == nil
}
