package dynamo

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"
	"testing"
)

// TestAcceptedEncodings uses the headers of ScyllaDB's test_compressed_response.py, and the encodings of DynamoDB's
// responses to them (2025-12).
func TestAcceptedEncodings(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]string{
		"": "", "identity": "", "br": "", "zstd": "", "compress": "", "x-gzip": "", "gzip": "gzip", "deflate": "deflate",
		"gzip, deflate": "gzip", "br, identity, deflate, gzip": "deflate", "GZIP, identity": "gzip",
		"dog, gzip ,, cat": "gzip", "gzip;q=0.8, deflate;q=0.5": "gzip",
		"br, gzip;q=0, deflate; q = 0.5 , identity;q=0": "deflate",
		// wildcards
		"*": "gzip", "*, deflate;q=0.5": "gzip", "*, deflate": "deflate", "*, identity": "gzip", "*, gzip;q=0.5": "deflate",
		"*;q=0": "", "*;q=0.5,identity": "gzip", "br;q=0.8,identity;q=0.5,*;q=0": "", "*, gzip, deflate;q=0": "gzip",
		"gzip ;q=0": "", "identity;q=0": "", "gzip;q=0.5,identity;q=0.8": "gzip",
		// malformed values
		`"gzip"`: "", "gzip br": "", "gzip:q=1": "", "deflate;q=0.5, gzip;q=31": "gzip", "gzip;q=31,deflate;q=51": "gzip",
		"deflate;q=0.5, gzip;q=0.2": "deflate", "deflate;q=0.5, gzip;q=1;q=0.2": "gzip",
		"deflate;q=0.5,gzip;q=0.": "deflate", "deflate;q=0.5,gzip;q=0.x": "gzip", "deflate;q=0.5,gzip;q=0. x": "gzip",
		"deflate;q=-0.5,gzip;q=0.2": "gzip", "gzip;q= 0;q=1": "", "gzip;q =0;q=1": "gzip", "gzip; q=0;q=1": "",
		"gzip;nq=0;q=1": "", "gzip;q=0, gzip;q=1, gzip;q=0": "gzip", "br,identity;q=0.5,gzip;q=0.0001": "gzip",
	} {
		if got := acceptedEncoding(accept); got != want {
			t.Errorf("%q: %q, want %q", accept, got, want)
		}
	}
}

func FuzzAcceptedEncoding(f *testing.F) {
	for _, accept := range []string{"gzip", "*;q=0.5,identity", "gzip;q=NaN, deflate;q=Inf", "gzip;q=0x1p-2,*;q=-0"} {
		f.Add(accept)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		got, lower := acceptedEncoding(accept), strings.ToLower(accept)
		if got != "" && (packers[got] == nil || !strings.Contains(lower, got) && !strings.Contains(lower, "*")) {
			t.Errorf("%q: %q", accept, got)
		}
		if twice := acceptedEncoding(accept + "," + accept); twice != got {
			t.Errorf("%q: %q, and if repeated %q", accept, got, twice)
		}
	})
}

func TestPackedAnswersCanBeUnpacked(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 5000, 1 << 20} {
		text := strings.Repeat("x", size)
		for encoding, open := range map[string]func(io.Reader) (io.ReadCloser, error){
			"gzip":    func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
			"deflate": zlib.NewReader,
		} {
			r, err := open(bytes.NewReader(pack(encoding, []byte(text))))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || string(got) != text {
				t.Errorf("%s, %d bytes: %d, %v", encoding, size, len(got), err)
			}
		}
	}
}
