package emulator_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// protocolCases attack HTTP itself: HTTP/2, compressed bodies, idle connections, and signature headers.
func protocolCases() []hostileCase {
	return []hostileCase{
		{name: "HTTP/2, rapid reset", clients: 4, send: leave(func(*livenessTest) string {
			return http2(2_000, func(stream uint32) string {
				return http2Headers(stream, true) + frame(frameReset, 0, stream, "\x00\x00\x00\x08")
			})
		})},
		{name: "HTTP/2, stalled streams", clients: 20, send: leave(func(*livenessTest) string {
			return http2(250, func(stream uint32) string { return http2Headers(stream, false) })
		})},
		{name: "HTTP/2, pings and settings", clients: 4, send: leave(func(*livenessTest) string {
			return http2(20_000, func(uint32) string {
				return frame(framePing, 0, 0, "12345678") + frame(frameSettings, 0, 0, "")
			})
		})},
		{name: "gzip bombs", clients: 8, send: tooLarge(packedBody(func() string { return strings.Repeat(" ", 256<<20) }))},
		{name: "packed bodies of 15 MB", clients: 8, send: packedBody(func() string {
			return `{"TableName":"victim","Item":{"pk":{"S":"` + strings.Repeat("x", 15<<20) + `"}}}`
		})},
		{name: "thousands of idle connections", clients: 20, send: idleConnections(200)},
		{name: "repeated signed headers", clients: 8, send: func(ctx context.Context, a *livenessTest) (int, error) {
			r, err := a.request(ctx, "GetItem", `{}`)
			if err != nil {
				return 0, err
			}
			r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+ana.AccessKeyID+
				"/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders="+
				strings.Repeat("host;b;", 8_000)+"x, Signature=00")
			status, _, err := a.do(r)
			return status, err
		}},
	}
}

// HTTP/2 frame types (RFC 9113, section 6).
const (
	frameData     = 0
	frameHeaders  = 1
	frameReset    = 3
	frameSettings = 4
	framePing     = 6
	frameGoAway   = 7
)

// Flags of HTTP/2 frames.
const (
	flagEndStream  = 1 // of DATA and HEADERS
	flagAck        = 1 // of SETTINGS
	flagEndHeaders = 4
)

// frame returns an HTTP/2 frame.
func frame(kind, flags byte, stream uint32, payload string) string {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
	return string(binary.BigEndian.AppendUint32(append(head, flags), stream)) + payload
}

// http2Headers starts a POST of / on a stream; a body follows unless ends is set.
func http2Headers(stream uint32, ends bool) string {
	flags := byte(flagEndHeaders)
	if ends {
		flags |= flagEndStream
	}
	// from the static table of RFC 7541, and :authority
	return frame(frameHeaders, flags, stream, "\x83\x86\x84\x41\x04desk")
}

// http2 returns the start of a connection with the frames of n streams.
func http2(n int, of func(stream uint32) string) string {
	var all strings.Builder
	all.WriteString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(frameSettings, 0, 0, ""))
	for i := range n {
		all.WriteString(of(uint32(2*i + 1)))
	}
	return all.String()
}

// packedBody puts an item with a compressed body.
func packedBody(body func() string) func(context.Context, *livenessTest) (int, error) {
	packed := sync.OnceValue(func() string {
		var out bytes.Buffer
		packer, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
		_, _ = io.WriteString(packer, body())
		_ = packer.Close()
		return out.String()
	})
	return func(ctx context.Context, a *livenessTest) (int, error) {
		r, err := a.request(ctx, "PutItem", packed())
		if err != nil {
			return 0, err
		}
		r.Header.Set("Content-Encoding", "gzip")
		status, _, err := a.do(r)
		return status, err
	}
}

// tooLarge returns 413 for a body that DynamoDB answers with 500 because it is too large when decompressed.
func tooLarge(
	send func(context.Context, *livenessTest) (int, error),
) func(context.Context, *livenessTest) (int, error) {
	return func(ctx context.Context, a *livenessTest) (int, error) {
		status, err := send(ctx, a)
		if status == http.StatusInternalServerError {
			status = http.StatusRequestEntityTooLarge
		}
		return status, err
	}
}

// idleConnections opens connections, sends a request on each, and keeps them open for a while.
func idleConnections(n int) func(context.Context, *livenessTest) (int, error) {
	return func(ctx context.Context, a *livenessTest) (int, error) {
		for i := range n {
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(a.at.DynamoDB, "http://"))
			if err != nil {
				return 0, err
			}
			defer conn.Close()
			if i%2 == 0 {
				_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: desk\r\n\r\n")
			}
		}
		held, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
		defer cancel()
		<-held.Done()
		return 0, nil
	}
}

// first returns the first status that is not a success, or 200.
func first(requests ...func() (int, string, error)) (int, error) {
	for _, request := range requests {
		if status, _, err := request(); err != nil || status >= http.StatusMultipleChoices {
			return status, err
		}
	}
	return http.StatusOK, nil
}

// unique returns a name that no other request uses.
func unique(prefix string) string { return fmt.Sprintf("%s-%d", prefix, time.Now().UnixNano()) }
