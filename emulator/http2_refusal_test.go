package emulator_test

import (
	"encoding/binary"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

// TestEarlyRefusalsOverHTTP2 sends requests that are refused before their body has been read. The whole response comes
// first, then RST_STREAM with NO_ERROR, and the connection can be used further (RFC 9113, section 8.1). Another code,
// or a reset before the end of the response, would hide the reason from the client.
func TestEarlyRefusalsOverHTTP2(t *testing.T) {
	t.Parallel()
	const api = "/_tabletop/console/api/"
	f := dialFrames(t, emulator.Run(t, console.Option()).DynamoDBURL())
	stream := uint32(1)
	for _, c := range []struct {
		path, want string
		headers    []string // names and values
	}{
		{api + "import/load?format=json&table=orders", "pages of other origins", []string{"origin", "http://example.com"}},
		{api + "recording", "pages of other origins", []string{"origin", "http://example.com"}},
		{api + "changes", "use GET", nil},
	} {
		f.post(stream, c.path, c.headers...)
		f.send(frameData, 0, stream, "{")
		if body := f.response(stream); !strings.Contains(body, c.want) {
			t.Errorf("%s: %s, want %q", c.path, body, c.want)
		}
		if kind, _, code := f.next(stream); kind != frameReset || code != "\x00\x00\x00\x00" {
			t.Errorf("%s: frame %d %q, want RST_STREAM with NO_ERROR", c.path, kind, code)
		}
		f.send(frameData, flagEndStream, stream, "}") // it was on its way
		stream += 2
	}
	f.post(stream, api+"compare")
	f.send(frameData, flagEndStream, stream, "[]")
	if body := f.response(stream); body != "[]\n" {
		t.Errorf("a later request: %s", body)
	}
}

// TestLargeFramesOfHTTP2AreRefused announces a frame larger than the smallest limit that HTTP/2 allows, which the
// server has: a larger one would keep as much memory for each connection, from the frame's head on until the
// connection ends.
func TestLargeFramesOfHTTP2AreRefused(t *testing.T) {
	t.Parallel()
	f := dialFrames(t, emulator.Run(t).DynamoDBURL())
	f.write("\x00\x40\x01" + "\x99\x00" + "\x00\x00\x00\x00") // 16 KiB and a byte, of an unknown kind
	for {
		head := make([]byte, 9)
		f.read(head)
		text := make([]byte, binary.BigEndian.Uint32(head)>>8)
		f.read(text)
		if head[3] != frameGoAway {
			continue
		}
		if code := binary.BigEndian.Uint32(text[4:]); code != 6 {
			t.Errorf("the connection ends with code %d, want FRAME_SIZE_ERROR", code)
		}
		return
	}
}

// frames is an HTTP/2 connection without TLS, seen frame by frame.
type frames struct {
	net.Conn
	t *testing.T
}

func dialFrames(t *testing.T, url string) frames {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	f := frames{c, t}
	f.write(http2(0, nil))
	return f
}

func (f frames) write(text string) {
	f.t.Helper()
	if _, err := io.WriteString(f, text); err != nil {
		f.t.Fatal(err)
	}
}

func (f frames) send(kind, flags byte, stream uint32, payload string) {
	f.t.Helper()
	f.write(frame(kind, flags, stream, payload))
}

// post sends the headers of a request whose body follows. The fields are literals without indexing (RFC 7541, section
// 6.2.2).
func (f frames) post(stream uint32, path string, headers ...string) {
	f.t.Helper()
	fields := append([]string{":method", "POST", ":scheme", "http", ":path", path, ":authority", f.RemoteAddr().String(),
		"content-type", "application/json"}, headers...)
	var block strings.Builder
	for field := range slices.Chunk(fields, 2) {
		block.WriteString("\x00" + string(rune(len(field[0]))) + field[0] + string(rune(len(field[1]))) + field[1])
	}
	f.send(frameHeaders, flagEndHeaders, stream, block.String())
}

// response returns the body of a stream's response, of which every frame must come.
func (f frames) response(stream uint32) (body string) {
	f.t.Helper()
	kind, flags, _ := f.next(stream)
	if kind != frameHeaders {
		f.t.Fatalf("frame %d, want the headers of the response", kind)
	}
	for flags&flagEndStream == 0 {
		var part string
		if kind, flags, part = f.next(stream); kind != frameData {
			f.t.Fatalf("frame %d %q after %q, want the rest of the response", kind, part, body)
		}
		body += part
	}
	return body
}

// next returns the next frame of a stream. It skips frames of the connection, except its end.
func (f frames) next(stream uint32) (kind, flags byte, payload string) {
	f.t.Helper()
	for {
		head := make([]byte, 9)
		f.read(head)
		text := make([]byte, binary.BigEndian.Uint32(head)>>8)
		f.read(text)
		kind, flags = head[3], head[4]
		switch {
		case kind == frameGoAway:
			f.t.Fatalf("the connection ends: %q", text)
		case kind == frameSettings && flags != flagAck:
			f.send(frameSettings, flagAck, 0, "")
		case binary.BigEndian.Uint32(head[5:]) == stream:
			return kind, flags, string(text)
		}
	}
}

func (f frames) read(all []byte) {
	f.t.Helper()
	if _, err := io.ReadFull(f, all); err != nil {
		f.t.Fatal(err)
	}
}
