package doc

import (
	"errors"
	"strings"
	"testing"
)

func TestParseAppendRoundTrip(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"b":1,"a":[true,null,"x\u00e9\n"]}`:  `{"b":1,"a":[true,null,"xé\n"]}`,
		` [ 1.0 , 1e3, 1e21, 1e-7, -0, 0.1 ] `: `[1,1000,1e+21,1e-7,0,0.1]`,
		`{"a":1,"b":2,"a":3}`:                  `{"a":3,"b":2}`,
		`"\ud800"`:                             `"` + "\ufffd" + `"`,
	} {
		v, err := Parse([]byte(in))
		if err != nil || v.JSON() != want {
			t.Errorf("%s: %s, %v; want %s", in, v.JSON(), err, want)
		}
	}
}

func TestParseRejectsInvalidJSON(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", MaxDepth+2) + strings.Repeat("]", MaxDepth+2)
	if _, err := Parse([]byte(deep)); !errors.Is(err, ErrDepth) {
		t.Errorf("too deep: %v", err)
	}
	if _, err := Parse([]byte("1e999")); !errors.Is(err, ErrNumber) {
		t.Errorf("too large: %v", err)
	}
	for _, in := range []string{"", "{", "[1,]", "{} {}", "nul", `{"a":undefined}`} {
		if _, err := Parse([]byte(in)); err == nil {
			t.Errorf("%q was accepted", in)
		}
	}
}

func TestCompareOrdersTypes(t *testing.T) {
	t.Parallel()
	values := []Value{{}, NullValue(), Bool(false), Bool(true), Number(-1), Number(2), String(""), String("a"), Array(),
		Array(Number(1)), Object()}
	for i, a := range values {
		for j, b := range values {
			if c := Compare(a, b); (c < 0) != (i < j) || (c == 0) != (i == j) {
				t.Errorf("%s and %s: %d", a.JSON(), b.JSON(), c)
			}
		}
	}
	if !Equal(Object(Member{"a", Number(1)}, Member{"b", Number(2)}), Object(Member{"b", Number(2)},
		Member{"a", Number(1)})) {
		t.Error("the order of members matters")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"a":[1,2.5e-9,"\u0000"],"b":{"c":null}}`)
	f.Fuzz(func(t *testing.T, in string) {
		v, err := Parse([]byte(in))
		if err != nil {
			return
		}
		back, err := Parse(Append(nil, v))
		if err != nil || !Equal(v, back) {
			t.Errorf("%q: %s read back as %s, %v", in, v.JSON(), back.JSON(), err)
		}
	})
}
