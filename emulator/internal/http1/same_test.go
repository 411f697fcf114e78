package http1

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// seen are the requests that a handler had, as text.
type seen struct {
	mu   sync.Mutex
	list []string
}

// ServeHTTP records all of a request, and answers as its path says.
func (s *seen) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	part := r.Body
	if r.URL.Path == "/unread" || r.URL.Path == "/read-late" {
		part = http.NoBody
	}
	body, err := io.ReadAll(part)
	s.mu.Lock()
	s.list = append(s.list, fmt.Sprintf("%s %s %q %s host=%s length=%d te=%v close=%v header=%v trailer=%v body=%q %v",
		r.Method, r.RequestURI, r.URL, r.Proto, r.Host, r.ContentLength, r.TransferEncoding, r.Close,
		sorted(r.Header), sorted(r.Trailer), body, err != nil))
	s.mu.Unlock()
	if !answerWithPairs(w, r.URL.Path) {
		answer(w, r, body)
	}
}

// answer responds in the way that the path names.
func answer(w http.ResponseWriter, r *http.Request, body []byte) {
	w.Header().Set("Date", "Thu, 01 Jan 1970 00:00:00 GMT")
	large := bytes.Repeat([]byte("0123456789abcdef"), 1000)
	switch r.URL.Path {
	case "/none":
	case "/204":
		w.Header().Set("Content-Type", "text/x")
		w.WriteHeader(http.StatusNoContent)
	case "/304":
		w.Header().Set("Content-Type", "text/x")
		w.Header().Set("Content-Length", "5")
		w.WriteHeader(http.StatusNotModified)
	case "/large":
		_, _ = w.Write(large)
	case "/large-known":
		w.Header().Set("Content-Length", fmt.Sprint(len(large)))
		_, _ = w.Write(large[:10])
		_, _ = w.Write(large[10:])
	case "/short":
		w.Header().Set("Content-Length", "10")
		_, _ = w.Write(large[:5])
	case "/long":
		w.Header().Set("Content-Length", "5")
		_, err := w.Write(large[:10])
		w.Header().Set("X-Late", fmt.Sprint(err))
	case "/flush":
		_, _ = w.Write([]byte("one"))
		_ = http.NewResponseController(w).Flush()
		_, _ = w.Write([]byte("two"))
	case "/flush-first":
		_ = http.NewResponseController(w).Flush()
		_, _ = w.Write([]byte("two"))
	case "/pieces":
		for range 100 {
			_, _ = w.Write(large[:100])
		}
	case "/close":
		w.Header().Set("Connection", "close")
		_, _ = w.Write([]byte("bye"))
	case "/split":
		w.Header().Set("X-Split", "a\r\nSet-Cookie: b")
		w.Header()["Bad Name"] = []string{"x"}
		w.Header().Add("X-Two", "1")
		w.Header().Add("X-Two", "2")
		_, _ = w.Write([]byte("<html>"))
	case "/late":
		w.WriteHeader(http.StatusTeapot)
		w.Header().Set("X-Late", "1")
		_, _ = w.Write([]byte("body"))
	case "/600":
		w.WriteHeader(600)
	case "/read-late":
		w.WriteHeader(http.StatusOK)
		rest, err := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, "%q %v", rest, err)
	case "/hint":
		w.Header().Set("Link", "</x>")
		w.WriteHeader(http.StatusEarlyHints)
		_, _ = w.Write([]byte("then"))
	case "/abort", "/abort-whole", "/abort-late":
		abort(w, r.URL.Path)
	default:
		_, _ = w.Write(append([]byte("got "), body...))
	}
}

// abort ends a response before its body, after it, or in the middle.
func abort(w http.ResponseWriter, path string) {
	switch path {
	case "/abort-whole":
		w.Header().Set("Content-Length", "4")
		_, _ = w.Write([]byte("full"))
	case "/abort-late":
		w.Header().Set("Content-Length", "10")
		_, _ = w.Write([]byte("half"))
		_ = http.NewResponseController(w).Flush()
	}
	panic(http.ErrAbortHandler)
}

func sorted(h http.Header) string {
	var lines []string
	for name, values := range h {
		lines = append(lines, fmt.Sprintf("%s=%q", name, values))
	}
	slices.Sort(lines)
	return strings.Join(lines, ",")
}

// corpus are what clients send: plain requests, and all that could make two servers disagree.
var corpus = []string{
	"GET / HTTP/1.1\r\nHost: desk\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET / HTTP/1.1\r\nHost:0\r\n\r\n0",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: 3\r\n\r\nabc\r\n\r\nGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n\r\nGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: desk\r\n\r\n\r\nGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET /a/b?c=d%20e&f HTTP/1.1\r\nHost: desk:80\r\nX-Amz-Target: A.B\r\nx-lower: v \r\nX-TWO: 1\r\nx-two: 2\r\n\r\n",
	"GET /none HTTP/1.1\r\nHost: desk\r\n\r\nGET /204 HTTP/1.1\r\nHost: desk\r\n\r\nGET /304 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET /large HTTP/1.1\r\nHost: desk\r\n\r\nGET /large-known HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET /pieces HTTP/1.1\r\nHost: desk\r\n\r\nGET /flush HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET /flush-first HTTP/1.1\r\nHost: desk\r\n\r\nHEAD /flush HTTP/1.1\r\nHost: desk\r\n\r\n",
	"HEAD /large HTTP/1.1\r\nHost: desk\r\n\r\nHEAD /large-known HTTP/1.1\r\nHost: desk\r\n\r\n",
	"HEAD / HTTP/1.1\r\nHost: desk\r\n\r\nHEAD /none HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET /short HTTP/1.1\r\nHost: desk\r\n\r\nGET / HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET /long HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET /close HTTP/1.1\r\nHost: desk\r\n\r\nGET / HTTP/1.1\r\nHost: desk\r\n\r\n",
	"POST /close HTTP/1.1\r\nHost: desk\r\nContent-Length: 10\r\n\r\n0123456789",
	"GET /split HTTP/1.1\r\nHost: desk\r\n\r\nGET /late HTTP/1.1\r\nHost: desk\r\n\r\nGET /600 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET /pairs HTTP/1.1\r\nHost: desk\r\n\r\nGET /pairs-204 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"HEAD /pairs HTTP/1.1\r\nHost: desk\r\n\r\nGET /pairs-close HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET /hint HTTP/1.1\r\nHost: desk\r\n\r\n", "GET /abort HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET /abort-late HTTP/1.1\r\nHost: desk\r\n\r\n", "GET /abort-whole HTTP/1.1\r\nHost: desk\r\n\r\n",
	"POST /read-late HTTP/1.1\r\nHost: desk\r\nContent-Length: 5\r\n\r\nhello",
	"POST /unread HTTP/1.1\r\nHost: desk\r\nContent-Length: 5\r\n\r\nhelloGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"POST /unread HTTP/1.1\r\nHost: desk\r\nContent-Length: 300000\r\n\r\n" + strings.Repeat("x", 300000) +
		"GET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: 10000\r\n\r\n" + strings.Repeat("x", 10000) +
		"GET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	strings.Repeat("GET /p HTTP/1.1\r\nHost: desk\r\nX-Pad: "+strings.Repeat("p", 700)+"\r\n\r\n", 20),
	"GET / HTTP/1.1\r\nHost: desk\r\nX-Big: " + strings.Repeat("b", 5000) + "\r\n\r\nGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: desk\r\nX-Huge: " + strings.Repeat("b", 80000) + "\r\n\r\n",
	// Framing: two lengths, chunks, both, forms of lengths, folded and spaced lines.
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: 3, 3\r\n\r\nabc",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: +3\r\n\r\nabc",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: -1\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: 0x3\r\n\r\nabc",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: 003\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length:\r\n\r\nGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: 99999999999999999999\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length : 3\r\n\r\nabc",
	"POST / HTTP/1.1\r\nHost: desk\r\n Content-Length: 3\r\n\r\nabc",
	"POST / HTTP/1.1\r\nHost: desk\r\nX-Fold: a\r\n b\r\nContent-Length: 3\r\n\r\nabc",
	"POST / HTTP/1.1\r\nHost: desk\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n3\r\nabc\r\n0\r\n\r\nGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nTransfer-Encoding: xchunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nTransfer-Encoding:\tchunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\nGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nTransfer-Encoding: chunked\n\r\n3\r\nabc\r\n0\r\n\r\n",
	"GET / HTTP/1.1\nHost: desk\n\nGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: desk\n\r\nGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: desk\r\nX: a\rb\r\n\r\n", "GET / HTTP/1.1\r\nHost: desk\r\nX: a\x00b\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: desk\r\nX\x80: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: desk\r\nX: \xff\xfe\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: desk\r\n: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: desk\r\nno colon\r\n\r\n",
	// Hosts, targets, versions, methods, and fields that change how a connection is read.
	"GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
	"GET http://other/path HTTP/1.1\r\nHost: desk\r\n\r\n", "GET //other/path HTTP/1.1\r\nHost: desk\r\n\r\n",
	"OPTIONS * HTTP/1.1\r\nHost: desk\r\n\r\n", "CONNECT desk:80 HTTP/1.1\r\nHost: desk:80\r\n\r\n",
	"GET /a b HTTP/1.1\r\nHost: desk\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: desk\r\n\r\n", "GET /a#b HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET  / HTTP/1.1\r\nHost: desk\r\n\r\n", "GET / HTTP/1.1 \r\nHost: desk\r\n\r\n", "GET /\x7f HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET / HTTP/1.0\r\nHost: desk\r\n\r\n", "GET / HTTP/1.0\r\nHost: desk\r\nConnection: keep-alive\r\n\r\nGET /2 HTTP/1.0\r\n\r\n",
	"GET / HTTP/0.9\r\nHost: desk\r\n\r\n", "GET / HTTP/2.0\r\nHost: desk\r\n\r\n", "GET / HTTP/1.2\r\nHost: desk\r\n\r\n",
	"GET /\r\n", "get / HTTP/1.1\r\nHost: desk\r\n\r\n", "PURGE / HTTP/1.1\r\nHost: desk\r\n\r\n",
	"G(T / HTTP/1.1\r\nHost: desk\r\n\r\n", "\r\nGET / HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: desk\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: desk\r\nConnection: Keep-Alive\r\n\r\nGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: desk\r\nConnection: keep-alive, close\r\n\r\nGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"POST /unread HTTP/1.1\r\nHost: desk\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: desk\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: desk\r\nExpect: the-unexpected\r\nContent-Length: 3\r\n\r\nabc",
	"GET / HTTP/1.1\r\nHost: desk\r\nPragma: no-cache\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: desk\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
	"PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", "PRI ", "\x16\x03\x01\x02\x00",
	"POST / HTTP/1.1\r\nHost: desk\r\nContent-Length: 9\r\n\r\nabc", "GET / HTTP/1.1\r\nHost: desk\r\nX-Unfin",
}

// exchangeWith sends data in two parts to a server, ends, and returns what the server sent.
func exchangeWith(t *testing.T, addr net.Addr, data []byte, cut int) []byte {
	t.Helper()
	raw, err := net.Dial("tcp", addr.String())
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	_ = raw.SetDeadline(time.Now().Add(await.Timeout))
	go func() {
		_, _ = raw.Write(data[:cut])
		_, _ = raw.Write(data[cut:])
		_ = raw.(*net.TCPConn).CloseWrite()
	}()
	answers, _ := io.ReadAll(raw) // a reset ends it too
	return answers
}

// both are a server of this package, and one of net/http, with handlers that record.
type both struct {
	ours, theirs       net.Listener
	seenOurs, seenBare *seen
}

func serveBoth(t *testing.T) *both {
	t.Helper()
	b := &both{seenOurs: &seen{}, seenBare: &seen{}}
	b.ours = serve(t, Config{Handler: b.seenOurs})
	bare := other(complete(Config{}))
	bare.Handler = b.seenBare
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b.theirs = listener
	go func() { _ = bare.Serve(listener) }()
	t.Cleanup(func() { _ = bare.Close() })
	return b
}

// compare sends the same to both servers: their handlers see the same requests, and the client the same responses.
func (b *both) compare(t *testing.T, data []byte, cut int) {
	t.Helper()
	if bytes.HasPrefix(data, []byte("PRI * HTTP/2.0\r\n\r\nSM")) {
		return // frames of HTTP/2, which the server sends at any time
	}
	b.seenOurs.list, b.seenBare.list = nil, nil
	got, want := exchangeWith(t, b.ours.Addr(), data, cut), exchangeWith(t, b.theirs.Addr(), data, cut)
	b.seenOurs.mu.Lock()
	defer b.seenOurs.mu.Unlock()
	b.seenBare.mu.Lock()
	defer b.seenBare.mu.Unlock()
	if !slices.Equal(b.seenOurs.list, b.seenBare.list) {
		t.Errorf("%.300q: the handler saw\n%q\nwant\n%q", data, b.seenOurs.list, b.seenBare.list)
	}
	if g, w := readable(got, b.seenBare.list), readable(want, b.seenBare.list); g != w {
		t.Errorf("%.300q is answered\n%s\nwant\n%s", data, g, w)
	}
}

// readable returns the responses to requests in a form in which the order of fields and the sizes of chunks do not
// matter.
func readable(answers []byte, requests []string) string {
	var text strings.Builder
	in := bufio.NewReader(bytes.NewReader(answers))
	for {
		method, _, _ := strings.Cut(strings.Join(requests[:min(1, len(requests))], ""), " ")
		resp, err := http.ReadResponse(in, &http.Request{Method: method})
		if err != nil {
			fmt.Fprintf(&text, "end: %v", err)
			return text.String()
		}
		body, err := io.ReadAll(resp.Body)
		fmt.Fprintf(&text, "%s %s length=%d %v close=%v %s %.40q… %d bytes, %v\n", resp.Proto, resp.Status, resp.ContentLength,
			resp.TransferEncoding, resp.Close, sorted(resp.Header), body, len(body), err)
		if resp.StatusCode >= 200 {
			requests = requests[min(1, len(requests)):]
		}
	}
}

// TestSameAsNetHTTP sends each request of the corpus to this package's server and to net/http's, whole and cut at
// several places, alone and with another request behind it.
func TestSameAsNetHTTP(t *testing.T) {
	t.Parallel()
	b := serveBoth(t)
	for _, text := range corpus {
		for _, cut := range []int{0, len(text) / 3, len(text) / 2, max(0, len(text)-1)} {
			b.compare(t, []byte(text), cut)
		}
		b.compare(t, []byte(text+"GET /2 HTTP/1.1\r\nHost: desk\r\n\r\n"), len(text))
	}
}

// FuzzSameAsNetHTTP looks for bytes that this package's server reads in another way than net/http's. A difference could
// hide a request from one of the two.
func FuzzSameAsNetHTTP(f *testing.F) {
	for _, text := range corpus {
		if len(text) < 8<<10 {
			f.Add([]byte(text), uint16(len(text)/2))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, cut uint16) {
		serveBoth(t).compare(t, data, min(int(cut), len(data)))
	})
}
