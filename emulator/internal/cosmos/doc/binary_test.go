package doc

import (
	"bytes"
	_ "embed"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

//go:embed testdata/binary.txt
var binaryVectors string

// vectors returns the lines of testdata/binary.txt: binary form, text form.
func vectors(t testing.TB) [][2]string {
	var out [][2]string
	for line := range strings.Lines(binaryVectors) {
		if line[0] == '#' {
			continue
		}
		code, text, ok := strings.Cut(strings.TrimSpace(line), " ")
		raw, err := hex.DecodeString(code)
		if !ok || err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		out = append(out, [2]string{string(raw), text})
	}
	return out
}

func TestParseBinaryAcceptsEveryForm(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		got, err := ParseBinary([]byte(v[0]))
		if err != nil || got.JSON() != v[1] {
			t.Errorf("% X: %s, %v; want %s", v[0], got.JSON(), err, v[1])
		}
	}
}

func TestAppendBinaryWritesShortForms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`null`: "80D0", `false`: "80D1", `true`: "80D2", `0`: "8000", `-0`: "8000", `31`: "801F", `32`: "80C820",
		`-5`: "80C9FBFF", `70000`: "80CA70110100", `-5000000000`: "80CB000EFAD5FEFFFFFF", `3.5`: "80CC0000000000000C40",
		`1e300`: "80CC9C7500883CE4377E", `""`: "8080", `"hi"`: "80826869", `"id"`: "802C", `[]`: "80E0", `[true]`: "80E1D2",
		`[1,2]`: "80E2020102", `{}`: "80E8", `{"id":0}`: "80E92C00", `{"id":0,"type":[1]}`: "80EA052C003BE101",
	} {
		v, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ToUpper(hex.EncodeToString(AppendBinary(nil, v))); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestBinaryRoundTripOfEachSize(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 63, 64, 255, 256, 65535, 65536, 70000} {
		elements := make([]Value, n)
		for i := range elements {
			elements[i] = Number(float64(i))
		}
		v := Object(Member{"s", String(strings.Repeat("x", n))}, Member{"list", Array(elements...)}, Member{"gone", Value{}})
		back, err := ParseAny(AppendBinary([]byte{}, v))
		if err != nil || !Equal(back, v.Without("gone")) {
			t.Errorf("%d: %v", n, err)
		}
	}
}

func TestParseBinaryRejectsMalformedInput(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"empty": "", "text": "7B7D", "preamble alone": "80", "trailing": "80D0D0", "cut": "80CC0000",
		"no such marker": "80FF",
		"half precision": "80CF003C", "user string": "8040", "long user string": "806005",
		"a name that is no string": "80E900D0",
		"reference to a reference": "80E204C303C303", "reference to itself": "80C301",
		"reference to a number": "80E20300C303",
		"reference ahead":       "80E205C305826869", "reference beyond": "80C3C8", "count": "80E5010500",
		"element beyond its array": "80E201C90500",
		"length beyond":            "80E2FF00", "bad UTF-8": "8081FF", "filling of hex": "8078011F", "cut 7 bit": "807E0400",
		"cut GUID":  "80D301020304",
		"cut bytes": "80DD0A0102", "uniform of nulls": "80F0D00100", "uniform of plain numbers": "80F0C80100",
		"cut uniform":        "80F0DA0301000000",
		"wrong inner marker": "80F2D0DA0001", "many empty arrays": "80F3F1DA0000FFFF", "packed beyond ASCII": "807B0180FF",
		"base64 without groups": "80710001", "base64 padding": "8071010500", "not a number": "80CC000000000000F87F",
		"infinite": "80CD0000807F",
	}
	for name, code := range cases {
		raw, err := hex.DecodeString(code)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := ParseBinary(raw); !errors.Is(err, ErrBinary) && !errors.Is(err, ErrNumber) {
			t.Errorf("%s: %s, %v", name, v.JSON(), err)
		}
	}
}

func TestParseBinaryLimits(t *testing.T) {
	t.Parallel()
	nested := func(depth int) []byte {
		return append(append([]byte{binaryPreamble}, bytes.Repeat([]byte{markArray + 1}, depth)...), 0)
	}
	if _, err := ParseBinary(nested(MaxDepth)); err != nil {
		t.Error(err)
	}
	for _, depth := range []int{MaxDepth + 1, 1 << 20} {
		if _, err := ParseBinary(nested(depth)); !errors.Is(err, ErrDepth) {
			t.Errorf("%d deep: %v", depth, err)
		}
	}
	long := AppendBinary(nil, String(strings.Repeat("x", 1<<20)))[1:] // at position 6, after an array's header
	body := append(long, bytes.Repeat([]byte{markReference, 6}, 1000)...)
	n := len(body)
	body = append([]byte{binaryPreamble, markArray + 4, byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}, body...)
	if _, err := ParseBinary(body); !errors.Is(err, ErrBinary) {
		t.Errorf("a gigabyte by references: %v", err)
	}
}

func FuzzParseBinary(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add([]byte(v[0]))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		v, err := ParseBinary(in)
		if err != nil {
			return
		}
		back, err := ParseBinary(AppendBinary(nil, v))
		if err != nil || !Equal(v, back) {
			t.Errorf("% X: %s read back as %s, %v", in, v.JSON(), back.JSON(), err)
		}
	})
}
