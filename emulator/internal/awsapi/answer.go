package awsapi

import (
	"hash/crc32"
	"net/http"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/emulator/internal/random"
)

// RequestIDHeader is the header of a response's id, as the services spell it. HTTP ignores the case; a reader of a dump
// may not.
const RequestIDHeader = "x-amzn-RequestId"

// checksumHeader is the header of the CRC32 checksum of DynamoDB's responses.
const checksumHeader = "x-amz-crc32"

// AppendHead appends the fields of every response of DynamoDB, as names and values in turn: length, server, checksum
// and request id. The values that differ share one allocation.
func AppendHead(fields []string, ids *random.Stream, body []byte) []string {
	var buf [longIDLength + 2*20]byte
	text := AppendLongID(buf[:0], ids)
	text = strconv.AppendUint(text, uint64(crc32.ChecksumIEEE(body)), 10)
	checksumEnd := len(text)
	text = strconv.AppendInt(text, int64(len(body)), 10)
	all := string(text)
	return append(fields, "Content-Length", all[checksumEnd:], "Server", "Server", checksumHeader,
		all[longIDLength:checksumEnd], RequestIDHeader, all[:longIDLength])
}

// Write writes a response with fields besides those of the writer's Header, and reports whether the client took it. If
// not, the memory of body must not be reused: HTTP/2 ends a Write when the stream is reset, even while a frame of body
// is being written.
func (s *Service[E]) Write(w http.ResponseWriter, status int, fields []string, body []byte) bool {
	inflight.WriteHead(w, status, fields)
	_, err := w.Write(body)
	if err != nil {
		s.Log.Debug("the client did not take its answer", "service", s.Name, "error", err)
	}
	return err == nil
}
