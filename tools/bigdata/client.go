package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
)

// conn is a connection that stays open from request to request.
type conn struct {
	addr string
	c    net.Conn
	r    *bufio.Reader
	body bytes.Buffer
}

func (c *conn) close() {
	if c.c != nil {
		_ = c.c.Close()
		c.c = nil
	}
}

// do sends a request and returns the response. The body is valid until the next do.
func (c *conn) do(request []byte) (status int, body []byte, err error) {
	if c.c == nil {
		if c.c, err = net.Dial("tcp", c.addr); err != nil {
			return 0, nil, err
		}
		c.r = bufio.NewReaderSize(c.c, 64<<10)
	}
	if _, err = c.c.Write(request); err != nil {
		return 0, nil, err
	}
	response, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return 0, nil, err
	}
	c.body.Reset()
	_, err = io.Copy(&c.body, response.Body)
	return response.StatusCode, c.body.Bytes(), err
}

// request returns the bytes of a DynamoDB request.
func request(host, operation, body string) []byte {
	return fmt.Appendf(nil, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-amz-json-1.0\r\n"+
		"X-Amz-Date: 20260101T000000Z\r\nX-Amz-Target: DynamoDB_20120810.%s\r\n"+
		"Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, "+
		"SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=%064d\r\nContent-Length: %d\r\n\r\n%s",
		host, operation, 7, len(body), body)
}
