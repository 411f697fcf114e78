package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
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
