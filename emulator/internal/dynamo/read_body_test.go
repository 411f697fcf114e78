package dynamo

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/iotest"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// TestBodiesAreReadWhole reads bodies of many sizes, with and without a Content-Length, that arrive in pieces of
// several sizes.
func TestBodiesAreReadWhole(t *testing.T) {
	t.Parallel()
	pieces := map[string]func(io.Reader) io.Reader{
		"whole": func(r io.Reader) io.Reader { return r }, "half": iotest.HalfReader, "with its end": iotest.DataErrReader,
	}
	for _, size := range []int{0, 1, 511, engine.InitialBodyReservation - 1, engine.InitialBodyReservation, engine.InitialBodyReservation + 1, 100_000, maxKept, 400_000, 1 << 20, 3<<20 + 7, MaxBody} {
		body := bytes.Repeat([]byte("0123456789"), size/10+1)[:size]
		for name, piece := range pieces {
			for _, told := range []bool{true, false} {
				r := httptest.NewRequest(http.MethodPost, "/", piece(bytes.NewReader(body)))
				if r.ContentLength = -1; told {
					r.ContentLength = int64(size)
				}
				got, err := new(Service).readBody(make([]byte, 0, 16), httptest.NewRecorder(), r, nil)
				if err != nil || !bytes.Equal(got, body) {
					t.Errorf("%d bytes, %s, length told %v: %d bytes, %v", size, name, told, len(got), err)
				}
				if told && cap(got) > size+size/2+engine.InitialBodyReservation+1<<10 {
					t.Errorf("%d bytes take %d", size, cap(got))
				}
			}
		}
	}
}
