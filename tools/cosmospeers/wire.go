package main

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const wellKnownKey = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="

// signature returns the headers that sign a request. They are valid for a quarter of an hour.
func signature(method, kind, link string) string {
	key, err := base64.StdEncoding.DecodeString(wellKnownKey)
	if err != nil {
		return ""
	}
	date := time.Now().UTC().Format(http.TimeFormat)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(strings.ToLower(method) + "\n" + kind + "\n" + link + "\n" + strings.ToLower(date) + "\n\n"))
	token := url.QueryEscape("type=master&ver=1.0&sig=" + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return "Authorization: " + token + "\r\nx-ms-date: " + date + "\r\n"
}

// newRequest returns a signed request in wire format.
func newRequest(addr, method, path, kind, link, body string) []byte {
	return signedRequest(addr, method, path, signature(method, kind, link), body)
}

// signedRequest returns a request with an existing signature, in wire format. headers are names and values in turn.
func signedRequest(addr, method, path, signature, body string, headers ...string) []byte {
	b := make([]byte, 0, 512+len(body))
	b = append(b, method+" "+path+" HTTP/1.1\r\nHost: "+addr+"\r\nx-ms-version: 2020-07-15\r\n"+signature...)
	for i := 0; i < len(headers); i += 2 {
		b = append(b, headers[i]+": "+headers[i+1]+"\r\n"...)
	}
	b = append(b, "Content-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"...)
	return append(b, body...)
}

// conn is a minimal HTTP/1.1 client with one request at a time, which leaves the machine's resources to the servers.
type conn struct {
	addr         string
	c            net.Conn
	r            *bufio.Reader
	body         []byte
	continuation string // x-ms-continuation of the last response
	closing      bool   // the server closes the connection after its response
}

func (k *conn) close() {
	if k.c != nil {
		_ = k.c.Close()
		k.c = nil
	}
}

// do sends one request. The body is valid until the next call. After an error the next call dials again.
func (k *conn) do(request []byte) (status int, body []byte, err error) {
	if k.c == nil {
		if k.c, err = net.DialTimeout("tcp", k.addr, 5*time.Second); err != nil {
			k.c = nil
			return 0, nil, err
		}
		k.r = bufio.NewReaderSize(k.c, 64<<10)
	}
	if _, err = k.c.Write(request); err == nil {
		status, err = k.read()
	}
	if err != nil || k.closing {
		k.close()
	}
	return status, k.body, err
}

// read reads one response, by its Content-Length or in chunks.
func (k *conn) read() (status int, err error) {
	line, err := k.r.ReadSlice('\n')
	if err != nil || len(line) < 12 {
		return 0, fmt.Errorf("not an HTTP response: %q %w", line, err)
	}
	status, _ = strconv.Atoi(string(line[9:12]))
	size, chunked := 0, false
	k.continuation, k.body, k.closing = "", k.body[:0], false
	for {
		if line, err = k.r.ReadSlice('\n'); err != nil {
			return status, err
		}
		name, value, found := bytes.Cut(line, []byte(":"))
		if !found {
			break // the empty line that ends the headers
		}
		switch value = bytes.TrimSpace(value); {
		case bytes.EqualFold(name, []byte("content-length")):
			size, _ = strconv.Atoi(string(value))
		case bytes.EqualFold(name, []byte("transfer-encoding")):
			chunked = true
		case bytes.EqualFold(name, []byte("connection")):
			k.closing = bytes.EqualFold(value, []byte("close"))
		case bytes.EqualFold(name, []byte("x-ms-continuation")):
			k.continuation = string(value)
		}
	}
	if !chunked {
		return status, k.take(size)
	}
	return status, k.chunks()
}

func (k *conn) chunks() error {
	for {
		line, err := k.r.ReadSlice('\n')
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err == nil {
			err = k.take(int(n) + 2)
		}
		if err != nil {
			return err
		}
		k.body = k.body[:len(k.body)-2]
		if n == 0 {
			return nil
		}
	}
}

func (k *conn) take(n int) error {
	have := len(k.body)
	k.body = slices.Grow(k.body, n)[:have+n]
	_, err := io.ReadFull(k.r, k.body[have:])
	return err
}
