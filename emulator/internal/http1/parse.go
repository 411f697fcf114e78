package http1

import (
	"bytes"
	"encoding/binary"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

const (
	// maxFields is the largest number of header fields that this package reads.
	maxFields = 64

	// maxKeptName is the length of the longest name of a field that a connection keeps.
	maxKeptName = 64
)

// names are the names of the fields of a connection's last request, as sent and in canonical form. Clients send the
// same names in each request.
type names struct {
	sent, canonical [maxFields]string
}

// next returns the canonical form of the name of field i, with which line begins, and the name's length; it is not
// positive if the line does not begin with a name.
func (n *names) next(i int, line []byte) (canonical string, length int) {
	last := n.sent[i]
	if length = len(last); length > 0 && length < len(line) && line[length] == ':' && string(line[:length]) == last {
		return n.canonical[i], length
	}
	if length = nameLength(line); length <= 0 {
		return "", length
	}
	name := string(line[:length])
	canonical = http.CanonicalHeaderKey(name)
	if length <= maxKeptName {
		n.sent[i], n.canonical[i] = name, canonical
	}
	return canonical, length
}

// target is the target of a connection's last request.
type target struct {
	text string
	url  url.URL
}

// methods are the methods of the requests that this package serves.
var methods = [...]string{http.MethodPost, http.MethodGet, http.MethodPut, http.MethodDelete, http.MethodPatch,
	http.MethodHead, http.MethodOptions}

// parse parses the head of a request into c.request, and returns its size. The size is 0 if the request is not plain or
// not correct, or if missing, because bytes are missing.
func (c *conn) parse(data []byte, x *exchange) (size int, missing bool) {
	end := bytes.Index(data, headEnd)
	if end < 0 {
		return 0, beginsPlain(data)
	}
	size = end + len(headEnd)
	// One string for all that the request keeps. Its last line end is not part of it.
	text := string(data[:size-len(lineEnd)])
	method, uri, fields, ok := requestLine(text)
	if !ok || !c.target.parse(uri, &x.url) {
		return 0, false
	}
	header, host, ok := c.fields(fields, data[len(text)-len(fields):], x)
	if !ok {
		return 0, false
	}
	c.request = http.Request{Method: method, URL: &x.url, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: http.NoBody, ContentLength: x.length, Host: host, RequestURI: uri, RemoteAddr: c.remote, TLS: c.secure}
	return size, false
}

var (
	headEnd = []byte("\r\n\r\n")
	lineEnd = []byte("\r\n")
)

// beginsPlain reports whether data, which has no end of a head, can begin a plain request. Otherwise net/http gets it
// at once: what it is, such as the start of TLS or lines that end with LF alone, may be all that the client sends. Less
// than minStart can be what a client sends before it ends.
func beginsPlain(data []byte) bool {
	if len(data) < minStart {
		return true
	}
	for i, b := range data {
		if b == '\n' && (i == 0 || data[i-1] != '\r') {
			return false
		}
	}
	if line, _, complete := bytes.Cut(data, lineEnd); complete {
		_, _, _, ok := requestLine(string(line))
		return ok
	}
	return slices.ContainsFunc(methods[:], func(method string) bool {
		start := method + " /"
		n := min(len(start), len(data))
		return start[:n] == string(data[:n])
	})
}

// requestLine splits the first line of a head from the lines of its fields.
func requestLine(text string) (method, uri, fields string, ok bool) {
	line, fields, _ := strings.Cut(text, "\r\n")
	for _, m := range methods {
		if rest, ok := strings.CutPrefix(line, m); ok && strings.HasPrefix(rest, " /") {
			uri, ok := strings.CutSuffix(rest[1:], " HTTP/1.1")
			return m, uri, fields, ok
		}
	}
	return "", "", "", false
}

// parse sets u to the URL of a target that is a path, maybe with a query.
func (t *target) parse(uri string, u *url.URL) bool {
	if isPlainPath(uri) {
		*u = url.URL{Path: uri}
		return true
	}
	if t.text != uri {
		parsed, err := url.ParseRequestURI(uri)
		if err != nil || parsed.Host != "" || strings.ContainsAny(uri, " #\n\r") {
			return false
		}
		t.text, t.url = uri, *parsed
	}
	*u = t.url // handlers may change theirs
	return true
}

// isPlainPath reports whether a target is a path of bytes that mean themselves, so that net/url would return it as it
// is. Two slashes at its start would begin a host.
func isPlainPath(uri string) bool {
	if len(uri) == 0 || uri[0] != '/' || len(uri) > 1 && uri[1] == '/' {
		return false
	}
	for i := range len(uri) {
		if !isPathByte[uri[i]] {
			return false
		}
	}
	return true
}

// fields parses the lines of the header's fields; sent are their bytes. It returns the header without Host.
func (c *conn) fields(text string, sent []byte, x *exchange) (header http.Header, host string, ok bool) {
	count := strings.Count(text, "\n")
	if count > maxFields {
		return nil, "", false
	}
	header = make(http.Header, count)
	values := make([]string, count)
	hasLength := false
	for i := 0; len(text) > 0; i++ {
		name, colon := c.names.next(i, sent)
		if colon <= 0 {
			return nil, "", false
		}
		end := valueEnd(sent, colon+1)
		if end < 0 {
			return nil, "", false
		}
		value := strings.Trim(text[colon+1:end], " \t")
		text, sent = text[end+len(lineEnd):], sent[end+len(lineEnd):]
		switch name {
		case "Host":
			if host != "" || !isPlainHost(value) {
				return nil, "", false
			}
			host = value
			continue
		case "Content-Length":
			if x.length, ok = parseLength(value); !ok || hasLength {
				return nil, "", false
			}
			hasLength = true
		case "Connection":
			if !strings.EqualFold(value, "keep-alive") {
				return nil, "", false
			}
		case "Transfer-Encoding", "Expect", "Upgrade", "Trailer", "Pragma", "Http2-Settings":
			return nil, "", false
		}
		if same, repeated := header[name]; repeated {
			header[name] = append(same, value)
			continue
		}
		values[i] = value
		header[name] = values[i : i+1 : i+1]
	}
	return header, host, host != ""
}

// nameLength returns the length of the name that a line begins with, or -1 if there is none.
func nameLength(line []byte) int {
	for i, b := range line {
		switch {
		case b == ':':
			return i
		case !isToken[b]:
			return -1
		}
	}
	return -1
}

// valueEnd returns where a value ends that begins at from, or -1 if it has a byte that is not allowed.
func valueEnd(lines []byte, from int) int {
	length := bytes.IndexByte(lines[from:], '\r')
	end := from + length
	if length < 0 || end+1 >= len(lines) || lines[end+1] != '\n' || !isValue(lines[from:end]) {
		return -1
	}
	return end
}

// isValue reports whether a value has no control characters but tabs. It checks eight bytes at a time.
func isValue(value []byte) bool {
	for len(value) >= 8 && !hasControl(binary.LittleEndian.Uint64(value)) {
		value = value[8:]
	}
	for _, b := range value {
		if b < ' ' && b != '\t' || b == 0x7f {
			return false
		}
	}
	return true
}

const eachByte = 0x0101010101010101

// hasControl reports whether one of the eight bytes of w is a control character. A subtraction sets the highest bit of
// a byte that is less than what is subtracted, if no byte before it borrows.
func hasControl(w uint64) bool {
	control, deleted := w-eachByte*0x20, (w^eachByte*0x7f)-eachByte
	return control&^w&(eachByte*0x80) != 0 || deleted&^(w^eachByte*0x7f)&(eachByte*0x80) != 0
}

const alphanumeric = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// isToken tells the bytes of names, and isPathByte those of plain paths.
var isToken, isPathByte = bytesOf(alphanumeric + "!#$%&'*+-.^_`|~"), bytesOf(alphanumeric + "-._~/=")

func bytesOf(text string) (is [256]bool) {
	for i := range len(text) {
		is[text[i]] = true
	}
	return is
}

// isPlainHost reports whether a host has nothing but letters, digits, and what addresses and ports have.
func isPlainHost(host string) bool {
	for i := range len(host) {
		b := host[i]
		if !('a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' ||
			b == '.' || b == '-' || b == ':' || b == '[' || b == ']' || b == '_') {
			return false
		}
	}
	return host != ""
}

// parseLength parses the length of a body: digits, at most 18 of them.
func parseLength(text string) (int64, bool) {
	if len(text) == 0 || len(text) > 18 {
		return 0, false
	}
	var n int64
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = 10*n + int64(text[i]-'0')
	}
	return n, true
}
