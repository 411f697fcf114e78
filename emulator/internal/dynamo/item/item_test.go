package item

import (
	"bytes"
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

func parsed(t testing.TB, text string) Value {
	t.Helper()
	v, err := ParseItem(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

const everyType = `{"b":{"B":"AAEC/w=="},"bs":{"BS":["AQ==","Ag=="]},"l":{"L":[{"S":"x"},{"L":[]},{"NULL":true}]},"m":{"M":{"a":{"BOOL":true},"z":{"BOOL":false}}},` +
	`"n":{"N":"-12.5"},"ns":{"NS":["1","2.5"]},"s":{"S":"é \"q\" \\ \n\t\u0001 😀"},"ss":{"SS":["x","y"]}}`

func TestJSONRoundTrip(t *testing.T) {
	t.Parallel()
	v := parsed(t, everyType)
	if got := string(v.AppendItem(nil)); got != everyType {
		t.Errorf("got  %s\nwant %s", got, everyType)
	}
}

func TestNamesAreSortedAndTheLastDuplicateCounts(t *testing.T) {
	t.Parallel()
	v := parsed(t, `{"c":{"S":"1"},"a":{"M":{"z":{"N":"1"},"y":{"N":"2"}}},"c":{"S":"3"},"b":null}`)
	if got, want := string(v.AppendItem(nil)), `{"a":{"M":{"y":{"N":"2"},"z":{"N":"1"}}},"c":{"S":"3"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLongPayloadsKeepTheirLength(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 127, 128, 16383, 16384, 70000} {
		text := strings.Repeat("x", n)
		v := parsed(t, `{"k":{"S":"`+text+`"},"l":{"L":[{"S":"`+text+`"},{"N":"1"}]}}`)
		if f, _ := v.Field("k"); f.Text() != text {
			t.Errorf("%d bytes came back as %d", n, len(f.Text()))
		}
		l, _ := v.Field("l")
		if one, ok := l.Index(1); !ok || one.Text() != "1" {
			t.Errorf("the element behind %d bytes is %s", n, one)
		}
	}
}

func TestNumbersBecomeCanonical(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"0": "0", "-0": "0", "0.0": "0", "007": "7", "+5": "5", "1.50": "1.5", "100": "100", "1e2": "100", "1E-3": "0.001",
		".5": "0.5", "5.": "5",
		"-1.10e1": "-11", "0.00012300": "0.000123",
		"123456789012345678901234567890.12345678": "123456789012345678901234567890.12345678",
		"1e125": "1" + strings.Repeat("0", 125), "1e-130": "0." + strings.Repeat("0", 129) + "1",
		"1000000000000000000000000000000000000000": "1" + strings.Repeat("0", 39),
		"0e125": "0", "0." + strings.Repeat("0", 200): "0",
	} {
		v, err := NewNumber(in)
		if err != nil || v.Text() != want {
			t.Errorf("%s: %q %v, want %s", in, v.Text(), err, want)
		}
	}
}

func TestNumbersOutOfRangeAreRefused(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                       "The parameter cannot be converted to a numeric value",
		"abc":                    "The parameter cannot be converted to a numeric value: abc",
		"1e":                     "The parameter cannot be converted to a numeric value: 1e",
		"--1":                    "The parameter cannot be converted to a numeric value: --1",
		".":                      "The parameter cannot be converted to a numeric value: .",
		"1e126":                  errOverflow.Message,
		"1e99999999999999999999": "The parameter cannot be converted to a numeric value: 1e99999999999999999999",
		"1e999999999999999999":   errOverflow.Message,
		"0e126":                  errOverflow.Message,
		"0e-131":                 errUnderflow.Message,
		"1e-131":                 errUnderflow.Message,
		"-1e-999999999999999999": errUnderflow.Message,
		"123456789012345678901234567890123456789":  errPrecision.Message,
		"1.23456789012345678901234567890123456789": errPrecision.Message,
	} {
		if _, err := NewNumber(in); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

func TestInvalidValuesAreReportedAfterWrongTypes(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"a":{}}`:                             ErrEmptyValue.Error(),
		`{"a":{"X":"1"}}`:                      ErrEmptyValue.Error(),
		`{"a":{"S":"1","N":"1"}}`:              ErrManyTypes.Error(),
		`{"a":{"NULL":false}}`:                 errNullFalse.Error(),
		`{"a":{"SS":[]}}`:                      errEmptyString.Error(),
		`{"a":{"NS":["1","1.0"]}}`:             "One or more parameter values were invalid: Input collection contains duplicates.",
		`{"a":{"SS":["x","y","x"]}}`:           `One or more parameter values were invalid: Input collection ["x", "y", "x"] contains duplicates.`,
		`{"a":{"N":"x"},"b":{"S":1}}`:          "NUMBER_VALUE cannot be converted to String",
		`{"a":{"B":"abc"}}`:                    "Base64 encoded length is expected a multiple of 4 bytes but found: 3",
		`{"a":{"L":{}}}`:                       errStructure.Error(),
		`{"a":[]}`:                             "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue",
		`{"a":"x"}`:                            errPayload.Error(),
		`{"a":{"BOOL":1}}`:                     "NUMBER_VALUE cannot be converted to Boolean",
		nested(MaxDepth + 1):                   ErrNesting.Error(),
		`{"a":{"S":"x"`:                        "malformed JSON",
		`{"a":{"L":[{"S":"` + "\xff" + `"}]}}`: "malformed JSON",
	} {
		if _, err := ParseItem(in); err == nil || err.Error() != want {
			t.Errorf("%.60s: %v, want %s", in, err, want)
		}
	}
	parsed(t, nested(MaxDepth))
}

// nested returns an item whose one value has the nesting depth depth.
func nested(depth int) string {
	return `{"a":` + strings.Repeat(`{"L":[`, depth-1) + `{"S":"x"}` + strings.Repeat(`]}`, depth-1) + `}`
}

// Levels count the value itself, so that 64 levels are 63 lists around a string. (nubo-db/dynoxide, 2026-10-09.)
func TestVeryDeepValuesAreNoticed(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		depth    int
		want     error
		veryDeep bool
	}{
		{32, nil, false}, {33, ErrNesting, false}, {63, ErrNesting, false}, {64, ErrNesting, true},
		{2001, ErrNesting, true}, {2002, jsonread.ErrSyntax, false}, {10_000, jsonread.ErrSyntax, false},
	} {
		for _, text := range []string{nested(x.depth), strings.NewReplacer(`"L":[`, `"M":{"n":`, `]`, `}`).
			Replace(nested(x.depth))} {
			r, err := jsonread.New([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			var d Decoder
			if _, err = d.Item(&r); err == nil {
				err = d.Err()
			}
			if err != x.want || d.VeryDeep != x.veryDeep {
				t.Errorf("%d levels: %v, very deep: %v", x.depth, err, d.VeryDeep)
			}
		}
	}
}

func TestSizesFollowTheServicesRule(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{
		`{"a":{"S":"xyz"}}`: 4, `{"é":{"S":"é"}}`: 4, `{"a":{"B":"AAEC"}}`: 4, `{"a":{"BOOL":true}}`: 2,
		`{"a":{"NULL":true}}`: 2,
		`{"a":{"N":"0"}}`:     2, `{"a":{"N":"3.14159"}}`: 1 + 5, `{"a":{"N":"123456"}}`: 1 + 4, `{"a":{"N":"1E125"}}`: 1 + 2,
		`{"a":{"N":"-5"}}`:        1 + 3,
		`{"a":{"N":"0.0000001"}}`: 1 + 2, `{"a":{"N":"1000.5"}}`: 1 + 4, `{"a":{"L":[{"S":"x"},{"S":"y"}]}}`: 1 + 3 + 4,
		`{"a":{"M":{"b":{"S":"x"}}}}`: 1 + 3 + 3,
		`{"a":{"SS":["x","yz"]}}`:     4, `{"a":{"NS":["1","22"]}}`: 1 + 4, `{}`: 0,
	} {
		if got := parsed(t, in).ItemSize(); got != want {
			t.Errorf("%s: %d, want %d", in, got, want)
		}
	}
}

func TestMapsAndListsAreEdited(t *testing.T) {
	t.Parallel()
	v := parsed(t, `{"b":{"S":"1"},"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"}]}}`)
	l, _ := v.Field("l")
	v = v.With("a", NewInt(1)).With("b", NewInt(2)).With("z", NewBool(true)).Without("none")
	v = v.With("l", l.WithIndex(1, NewString("x")).WithIndex(9, NewString("end")).WithoutIndex(0)).Without("z")
	if got, want := string(v.AppendItem(nil)),
		`{"a":{"N":"1"},"b":{"N":"2"},"l":{"L":[{"S":"x"},{"N":"2"},{"S":"end"}]}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// unsortedSet returns a set with the members in that order, as versions before November 2026 stored them.
func unsortedSet(t Type, members ...Value) Value {
	dst, at := AppendOpen(nil, t)
	for _, m := range members {
		dst = appendText(dst, m.Bytes())
	}
	return AppendClose(dst, at)
}

func TestSets(t *testing.T) {
	t.Parallel()
	a := NewSet(StringSet, NewString("x"), NewString("y"), NewString("x"))
	b := NewSet(StringSet, NewString("y"), NewString("z"))
	if a.Len() != 2 || !a.Contains(NewString("y")) || a.Contains(NewString("z")) {
		t.Errorf("%s", a.AppendJSON(nil))
	}
	if u := Union(a, b); !Equal(u, NewSet(StringSet, NewString("z"), NewString("y"), NewString("x"))) {
		t.Errorf("%s", u.AppendJSON(nil))
	}
	if d := Difference(a, b); !Equal(d, NewSet(StringSet, NewString("x"))) {
		t.Errorf("%s", d.AppendJSON(nil))
	}
}

// numberText draws numbers of all magnitudes, in various forms.
var numberText = rapid.StringMatching(`-?(0|[1-9][0-9]{0,12})(\.[0-9]{1,12})?([eE][+-]?[0-9]{1,2})?`)

func TestOrderAndArithmeticAreExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, errA := NewNumber(numberText.Draw(t, "a"))
		b, errB := NewNumber(numberText.Draw(t, "b"))
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		x, _ := new(big.Rat).SetString(a.Text())
		y, _ := new(big.Rat).SetString(b.Text())
		if got := sign(Compare(a, b)); got != x.Cmp(y) {
			t.Errorf("Compare is %d", got)
		}
		if got := bytes.Compare(AppendKey(nil, a), AppendKey(nil, b)); got != x.Cmp(y) {
			t.Errorf("the keys' order is %d", got)
		}
		checkResult(t, Add, a, b, new(big.Rat).Add(x, y))
		checkResult(t, Sub, a, b, new(big.Rat).Sub(x, y))
	})
}

// checkResult checks that a result of at most 38 digits is exact, and that more are an overflow.
func checkResult(t *rapid.T, operation func(a, b Value) (Value, error), a, b Value, exact *big.Rat) {
	want, wantErr := NewNumber(exact.FloatString(-minExponent + maxDigits))
	if wantErr == errPrecision {
		wantErr = errOverflow
	}
	got, err := operation(a, b)
	if err != wantErr || err == nil && got.Text() != want.Text() {
		t.Errorf("%s and %s: %s, %v, want %s, %v", a.Text(), b.Text(), got.Text(), err, want.Text(), wantErr)
	}
}

func sign(n int) int { return min(1, max(-1, n)) }

func TestStringKeysKeepTheStringOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		bytesOf := rapid.SliceOf(rapid.SampledFrom([]byte{0, 1, 2, 'a', 0xff}))
		a, b := bytesOf.Draw(t, "a"), bytesOf.Draw(t, "b")
		keyA, keyB := AppendKey(nil, NewBinary(a)), AppendKey(nil, NewBinary(b))
		if bytes.Compare(keyA, keyB) != bytes.Compare(a, b) {
			t.Errorf("%x %x", keyA, keyB)
		}
		if !bytes.Equal(a, b) && bytes.HasPrefix(keyB, keyA) {
			t.Errorf("%x begins with %x", keyB, keyA)
		}
	})
}

func FuzzItem(f *testing.F) {
	f.Add(everyType)
	f.Add(nested(40))
	f.Add(`{"a":{"N":"1e-130"},"a":{"NS":["1","01"]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := ParseItem(text)
		if err != nil {
			return
		}
		out := v.AppendItem(nil)
		again, err := ParseItem(string(out))
		if err != nil || !bytes.Equal(v, again) || v.ItemSize() != again.ItemSize() {
			t.Errorf("%s became %s: %v", text, out, err)
		}
		hashed, err := ParseItem(string(v.AppendItemHashed(nil)))
		if err != nil || !bytes.Equal(v, hashed) {
			t.Errorf("%s became %s: %v", text, v.AppendItemHashed(nil), err)
		}
		var any1, any2 any
		if json.Unmarshal(out, &any1) != nil || json.Unmarshal(again.AppendItem(nil), &any2) != nil ||
			!reflect.DeepEqual(any1, any2) {
			t.Errorf("%s is no JSON", out)
		}
	})
}
