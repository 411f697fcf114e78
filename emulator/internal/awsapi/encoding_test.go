package awsapi

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// gzipped and deflated return a text in the format of an encoding.
func gzipped(text string) string {
	var out bytes.Buffer
	return written(&out, gzip.NewWriter(&out), text)
}

func deflated(text string) string {
	var out bytes.Buffer
	return written(&out, zlib.NewWriter(&out), text)
}

func written(out *bytes.Buffer, w io.WriteCloser, text string) string {
	_, _ = io.WriteString(w, text) // a Buffer does not fail
	_ = w.Close()
	return out.String()
}

func encoded(encoding, sent string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(sent))
	r.Header.Set("Content-Encoding", encoding)
	return r
}

// TestEncodings expects what DynamoDB answered to ScyllaDB's test_compressed_request.py (2025-11 to 2026-02). The
// encodings that are not compression are not recorded.
func TestEncodings(t *testing.T) {
	t.Parallel()
	const text = `{"TableName":"t"}`
	for what, c := range map[string]struct {
		encoding, sent string
		ok             bool
	}{
		"gzip":                    {"gzip", gzipped(text), true},
		"capital letters":         {"GZIP", gzipped(text), true},
		"two members":             {"gzip", gzipped(text[:10]) + gzipped(text[10:]), true},
		"an empty member":         {"gzip", gzipped("") + gzipped(text), true},
		"junk after gzip":         {"gzip", gzipped(text) + "junk", true},
		"gzip, truncated":         {"gzip", gzipped(text)[:len(gzipped(text))-1], false},
		"second member truncated": {"gzip", gzipped(text) + gzipped(text)[:20], false},
		"not gzip":                {"gzip", text, false},
		"nothing as gzip":         {"gzip", "", false},
		"deflate":                 {"deflate", deflated(text), true},
		"deflate, truncated":      {"deflate", deflated(text)[:len(deflated(text))-1], false},
		"not deflate":             {"deflate", text, false},
		"nothing as deflate":      {"deflate", "", false},
		"gzip as deflate":         {"deflate", gzipped(text), false},
		"an unknown encoding":     {"garbage", text, false},
		"brotli":                  {"br", text, false},
		"twice":                   {"gzip, gzip", gzipped(gzipped(text)), false},
		"identity":                {"identity", text, true},
		"the old name":            {"amz-1.0", text, true},
	} {
		body, _, err := ReadCompressedBody(encoded(c.encoding, c.sent), nil, nil, 1<<20)
		if c.ok && (err != nil || string(body) != text) || !c.ok && !errors.Is(err, ErrEncoding) {
			t.Errorf("%s: %q, %v", what, body, err)
		}
	}
	two, _, err := ReadCompressedBody(encoded("deflate", deflated("one")+deflated("two")), nil, nil, 1<<20)
	if err != nil || string(two) != "one" {
		t.Errorf("deflate has no members, but of two: %q, %v", two, err)
	}
}

// TestALimitAppliesAfterDecompression sends bodies that are small only while compressed, with little memory.
func TestALimitAppliesAfterDecompression(t *testing.T) {
	t.Parallel()
	bomb := strings.Repeat(" ", 8<<20)
	for encoding, sent := range map[string]string{"gzip": gzipped(bomb), "deflate": deflated(bomb)} {
		if _, _, err := ReadCompressedBody(encoded(encoding, sent), nil, nil, 1<<20); !errors.Is(err, ErrTooLarge) ||
			!errors.Is(err, ErrEncoding) {
			t.Errorf("%s: over the limit: %v", encoding, err)
		}
		var memory budget.Account
		memory.Open(budget.NewPool(1<<20), nil)
		body, _, err := ReadCompressedBody(encoded(encoding, sent), nil, &memory, 16<<20)
		if !errors.Is(err, budget.ErrBusy) || errors.Is(err, ErrEncoding) || cap(body) > 1<<20 {
			t.Errorf("%s: over the memory: %v, %d bytes", encoding, err, cap(body))
		}
		memory.Force(0)
	}
	members := strings.Repeat(gzipped(""), 100_000)
	if body, _, err := ReadCompressedBody(encoded("gzip", members), nil, nil, 4<<20); len(body) != 0 || err != nil {
		t.Errorf("empty members: %d bytes, %v", len(body), err)
	}
}

func FuzzReadCompressedBody(f *testing.F) {
	for _, encoding := range []string{"gzip", "deflate", "", "garbage"} {
		for _, sent := range []string{"", "{}", gzipped("{}"), deflated("{}"), gzipped("a") + gzipped("b") + "junk"} {
			f.Add(encoding, []byte(sent))
		}
	}
	f.Fuzz(func(t *testing.T, encoding string, sent []byte) {
		const limit = 64 << 10
		r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(sent))
		r.Header["Content-Encoding"] = []string{encoding}
		body, asSent, err := ReadCompressedBody(r, nil, nil, limit)
		if err == nil && len(body) > limit || len(body) > limit+1 {
			t.Errorf("%d bytes were read", len(body))
		}
		if err == nil && asSent == nil && !bytes.Equal(body, sent) || asSent != nil && !bytes.Equal(asSent, sent) {
			t.Errorf("%q was read as %q, sent as %q", sent, body, asSent)
		}
		if err != nil && !errors.Is(err, ErrEncoding) && !errors.Is(err, ErrTooLarge) {
			t.Error(err)
		}
	})
}
