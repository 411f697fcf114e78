package awsapi

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

func post(body io.Reader, length int64) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", body)
	r.ContentLength = length
	return r
}

func TestABodyHasALimit(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]error{0: nil, 9: nil, 10: nil, 11: ErrTooLarge, 100_000: ErrTooLarge} {
		for _, length := range []int64{-1, int64(n), 1 << 40} {
			body, err := ReadBody(post(strings.NewReader(strings.Repeat("x", n)), length), nil, nil, 10)
			if !errors.Is(err, want) || err == nil && len(body) != n {
				t.Errorf("%d bytes, length %d: %d, %v", n, length, len(body), err)
			}
		}
	}
}

// TestBodiesAreReadWhole reads bodies of many sizes, with and without a Content-Length, that arrive in pieces of
// several sizes.
func TestBodiesAreReadWhole(t *testing.T) {
	t.Parallel()
	const limit = 16 << 20
	pieces := map[string]func(io.Reader) io.Reader{
		"whole": func(r io.Reader) io.Reader { return r }, "half": iotest.HalfReader, "with its end": iotest.DataErrReader,
	}
	for _, size := range []int{0, 1, 511, reservedAhead - 1, reservedAhead, reservedAhead + 1, 100_000, 400_000, 1 << 20,
		3<<20 + 7, limit} {
		body := bytes.Repeat([]byte("0123456789"), size/10+1)[:size]
		for name, piece := range pieces {
			for _, told := range []bool{true, false} {
				length := int64(-1)
				if told {
					length = int64(size)
				}
				got, err := ReadBody(post(piece(bytes.NewReader(body)), length), make([]byte, 3, 16), nil, limit)
				if err != nil || !bytes.Equal(got, body) {
					t.Errorf("%d bytes, %s, length told %v: %d bytes, %v", size, name, told, len(got), err)
				}
				if told && cap(got) > size+size/2+reservedAhead+1<<10 {
					t.Errorf("%d bytes take %d", size, cap(got))
				}
			}
		}
	}
}

// compressed returns a request with a compressed body, and the body.
func compressed(body string) (*http.Request, []byte) {
	var packed bytes.Buffer
	packer := gzip.NewWriter(&packed)
	_, _ = packer.Write([]byte(body)) // a Buffer does not fail
	_ = packer.Close()
	r := post(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	r.Header.Set("Content-Encoding", "gzip")
	return r, packed.Bytes()
}

func TestACompressedBodyIsReadInBothForms(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 1000, 1 << 20} {
		text := strings.Repeat("x", size)
		r, packed := compressed(text)
		body, sent, err := ReadCompressedBody(r, nil, nil, 1<<20)
		if err != nil || string(body) != text || !bytes.Equal(sent, packed) {
			t.Errorf("%d bytes: %d, sent as %d, %v", size, len(body), len(sent), err)
		}
	}
	if body, sent, err := ReadCompressedBody(post(strings.NewReader("plain"), 5), nil, nil,
		100); string(body) != "plain" || sent != nil || err != nil {
		t.Errorf("a body that is not compressed: %q, sent as %q, %v", body, sent, err)
	}
	if r, _ := compressed(strings.Repeat("x", 1001)); !tooLarge(r) {
		t.Error("a body that is too large when decompressed was read")
	}
	broken := post(strings.NewReader("this is not gzip"), -1)
	broken.Header.Set("Content-Encoding", "gzip")
	if _, _, err := ReadCompressedBody(broken, nil, nil, 1000); err == nil {
		t.Error("a body that is not in the format of gzip was read")
	}
}

func tooLarge(r *http.Request) bool {
	_, _, err := ReadCompressedBody(r, nil, nil, 1000)
	return errors.Is(err, ErrTooLarge)
}

// TestABodyIsCounted reads a body for which there is memory, and one for which there is none.
func TestABodyIsCounted(t *testing.T) {
	t.Parallel()
	pool := budget.NewPool(1 << 20)
	for n, want := range map[int]error{100_000: nil, 3 << 20: budget.ErrBusy} {
		var memory budget.Account
		memory.Open(pool, nil)
		body, err := ReadBody(post(strings.NewReader(strings.Repeat("x", n)), -1), nil, &memory, 4<<20)
		if !errors.Is(err, want) || err == nil && memory.Bytes() < int64(len(body)) {
			t.Errorf("%d bytes: %v, %d of %d are counted", n, err, memory.Bytes(), len(body))
		}
		memory.Force(0)
	}
}
