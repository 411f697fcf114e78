package http1

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Which fields of a handler's header are not sent as they are.
type skipped uint8

const (
	framing          skipped = iota // of a body whose length is found out
	framingButLength                // of a body whose length the handler tells
	bodiless                        // of a response that has no body
	unmodified                      // of a response that repeats no body
	interimFields                   // of an interim response
)

func (s skipped) has(name string) bool {
	switch name {
	case "Transfer-Encoding", "Connection", "Trailer":
		return true
	case "Content-Length":
		return s != framingButLength
	case "Content-Type":
		return s == unmodified
	}
	return false
}

// appendStatus appends a status line.
func appendStatus(b []byte, status int) []byte {
	if status == http.StatusOK {
		return append(b, "HTTP/1.1 200 OK\r\n"...)
	}
	b = append(b, "HTTP/1.1 "...)
	b = strconv.AppendInt(b, int64(status), 10)
	b = append(b, ' ')
	if text := http.StatusText(status); text != "" {
		b = append(b, text...)
	} else {
		b = strconv.AppendInt(append(b, "status code "...), int64(status), 10)
	}
	return append(b, lineEnd...)
}

// appendFields appends the fields of a header, in the order of their names.
func appendFields(b []byte, header http.Header, skip skipped) []byte {
	var buf [24]string
	names := buf[:0]
	for name := range header {
		if !skip.has(name) && isName(name) {
			names = append(names, name)
			for i := len(names) - 1; i > 0 && names[i-1] > name; i-- {
				names[i], names[i-1] = names[i-1], name
			}
		}
	}
	for _, name := range names {
		for _, value := range header[name] {
			b = append(append(b, name...), ": "...)
			b = append(appendValue(b, value), lineEnd...)
		}
	}
	return b
}

// appendPairs appends fields given as names and values in turn.
func appendPairs(b []byte, fields []string, skip skipped) []byte {
	for i := 0; i+1 < len(fields); i += 2 {
		if !skip.has(fields[i]) {
			b = append(append(b, fields[i]...), ": "...)
			b = append(appendValue(b, fields[i+1]), lineEnd...)
		}
	}
	return b
}

func isName(name string) bool {
	for i := range len(name) {
		if !isToken[name[i]] {
			return false
		}
	}
	return name != ""
}

// appendValue appends the value of a field. Line ends in it become spaces, so that it cannot add fields.
func appendValue(b []byte, value string) []byte {
	if last := len(value) - 1; last < 0 || value[0] <= ' ' || value[last] <= ' ' {
		value = strings.Trim(value, " \t\r\n")
	}
	start := len(b)
	b = append(b, value...)
	if strings.IndexByte(value, '\n') < 0 && strings.IndexByte(value, '\r') < 0 {
		return b
	}
	for i := start; i < len(b); i++ {
		if b[i] == '\n' || b[i] == '\r' {
			b[i] = ' '
		}
	}
	return b
}

// dated is the field Date of a second.
type dated struct {
	second int64
	text   string
}

var lastDate atomic.Pointer[dated]

// appendDate appends the field Date.
func appendDate(b []byte, now time.Time) []byte {
	last := lastDate.Load()
	if second := now.Unix(); last == nil || last.second != second {
		last = &dated{second, "Date: " + now.UTC().Format(http.TimeFormat) + "\r\n"}
		lastDate.Store(last)
	}
	return append(b, last.text...)
}

// joins returns how large a response may be, in bytes, for its parts to be joined in one write.
func (c *conn) joins() int {
	if c.secure != nil {
		return maxRecord
	}
	return maxJoined
}

// write writes both parts: at once if the connection can do that.
func (c *conn) write(first, second []byte) error {
	if len(first) == 0 {
		first, second = second, nil
	}
	if len(second) == 0 {
		_, err := c.net.Write(first)
		return err
	}
	c.vectors = [2][]byte{first, second}
	all := net.Buffers(c.vectors[:])
	_, err := all.WriteTo(c.net)
	c.vectors = [2][]byte{}
	return err
}
