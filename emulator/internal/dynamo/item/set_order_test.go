package item

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// setJSON returns the JSON of a set of the type with that wire name.
func setJSON(t *testing.T, name string, members ...string) string {
	t.Helper()
	out, err := json.Marshal(map[string][]string{name: members})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// The captured item of nubo-db/dynoxide, recorded in ten regions, us-east-1 among them, on 2026-10-09: what was sent,
// and what GetItem, BatchGetItem, Query and ReturnValues answer.
var (
	sentStrings   = []string{"b", "a", "B", "A", "aa", "_", "é", "ｚ", "😀", "Z", "0", "10", "9", " ", "~"}
	sortedStrings = []string{" ", "0", "10", "9", "A", "B", "Z", "_", "a", "aa", "b", "~", "é", "ｚ", "😀"}

	sentBinaries   = []string{"Ag==", "AQA=", "/w==", "AQ==", "gA==", "fw==", "AA==", "AQAA"}
	sortedBinaries = []string{"AA==", "AQ==", "AQA=", "AQAA", "Ag==", "fw==", "gA==", "/w=="}

	nines       = strings.Repeat("9", 38)
	tiny        = "0." + strings.Repeat("0", 129) + "1"
	sentNumbers = []string{"100", "-1", "10", "0.5", "9", "5", "-10", "-0.5", "0", "1e3", "25", "2.50", "-1e-5", "1E10",
		nines, "-1E-130", "1E-130"}
	sortedNumbers = []string{"-10", "-1", "-0.5", "-0.00001", "-" + tiny, "0", tiny, "0.5", "2.5", "5", "9", "10", "25",
		"100", "1000", "10000000000", nines}
	// The order in Scan, TransactGetItems, PartiQL, stream records and cancellation reasons.
	hashedNumbers = []string{"0", tiny, "-" + tiny, "25", nines, "2.5", "10000000000", "9", "-0.5", "-0.00001", "5", "0.5",
		"1000", "100", "-1", "10", "-10"}
)

func TestSetsAreWrittenInTheServicesOrder(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name                 string
		sent, sorted, hashed []string
	}{
		{"SS", sentStrings, sortedStrings, sortedStrings},
		{"BS", sentBinaries, sortedBinaries, sortedBinaries},
		{"NS", sentNumbers, sortedNumbers, hashedNumbers},
		{"NS", []string{"3", "1", "2"}, []string{"1", "2", "3"}, []string{"3", "2", "1"}},
		{"NS", []string{"20", "3", "100"}, []string{"3", "20", "100"}, []string{"3", "20", "100"}},
		{"NS", []string{"7"}, []string{"7"}, []string{"7"}},
	} {
		v, err := ParseItem(`{"s":{"M":{"inside":{"L":[` + setJSON(t, x.name, x.sent...) + `]}}}}`)
		if err != nil {
			t.Fatal(err)
		}
		around := func(set []string) string {
			var sorted bytes.Buffer
			e := json.NewEncoder(&sorted)
			e.SetEscapeHTML(false)
			if err := e.Encode(map[string][]string{x.name: set}); err != nil {
				t.Fatal(err)
			}
			return `{"s":{"M":{"inside":{"L":[` + strings.TrimSpace(sorted.String()) + `]}}}}`
		}
		if got, want := string(v.AppendItem(nil)), around(x.sorted); got != want {
			t.Errorf("sorted: got %s, want %s", got, want)
		}
		if got, want := string(v.AppendItemHashed(nil)), around(x.hashed); got != want {
			t.Errorf("hashed: got %s, want %s", got, want)
		}
	}
}

// Folders older than November 2026 hold sets in the order of their requests.
func TestUnsortedSetsOfOlderFoldersAreWrittenSorted(t *testing.T) {
	t.Parallel()
	numbers := unsortedSet(NumberSet, NewInt(10), NewInt(9), NewInt(-1))
	strs := unsortedSet(StringSet, NewString("b"), NewString("a"))
	if got := string(numbers.AppendJSON(nil)); got != `{"NS":["-1","9","10"]}` {
		t.Errorf("got %s", got)
	}
	if got := string(Union(strs, NewSet(StringSet, NewString("aa"))).AppendJSON(nil)); got != `{"SS":["a","aa","b"]}` {
		t.Errorf("union: got %s", got)
	}
	if got := string(Difference(numbers, NewSet(NumberSet, NewInt(9))).AppendJSON(nil)); got != `{"NS":["-1","10"]}` {
		t.Errorf("difference: got %s", got)
	}
}

// randomSet returns the members of a random set of numbers or strings, in random order.
func randomSet(r *rand.Rand, t Type) []Value {
	seen := map[string]Value{}
	for range r.IntN(40) {
		v := NewString(strconv.Itoa(r.IntN(50)))
		if t == NumberSet {
			v, _ = NewNumber(strconv.Itoa(r.IntN(90)-40) + "e" + strconv.Itoa(r.IntN(7)-3))
		}
		seen[v.Text()] = v
	}
	var members []Value
	for _, v := range seen {
		members = append(members, v)
	}
	return members
}

func TestUnionAndDifferenceEqualAModel(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 50, func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		for _, typ := range []Type{NumberSet, StringSet} {
			a, b := randomSet(r, typ), randomSet(r, typ)
			var rest []Value
			for _, v := range a {
				if !slices.ContainsFunc(b, func(w Value) bool { return bytes.Equal(v, w) }) {
					rest = append(rest, v)
				}
			}
			x, y := unsortedSet(typ, a...), unsortedSet(typ, b...)
			if got, want := Union(x, y), NewSet(typ, slices.Concat(a, b)...); !bytes.Equal(got, want) {
				t.Fatalf("union: got %s, want %s", got.AppendJSON(nil), want.AppendJSON(nil))
			}
			if got, want := Difference(x, y), NewSet(typ, rest...); !bytes.Equal(got, want) {
				t.Fatalf("difference: got %s, want %s", got.AppendJSON(nil), want.AppendJSON(nil))
			}
		}
	})
}

// A thirteenth member makes the table grow to 32 buckets, by the source of java.util.HashMap.
func TestTheHashTableGrows(t *testing.T) {
	t.Parallel()
	var members []byte
	for i := range 13 {
		members = appendText(members, []byte(strconv.Itoa(i)))
	}
	var got []string
	for rest := inHashOrder(members); len(rest) > 0; {
		var m []byte
		m, rest = splitText(rest)
		got = append(got, string(m))
	}
	// 31*i mod 32 is 32-i, except for 0 and for 10, which is 1E1: 31*1-1 = 30.
	want := []string{"0", "12", "11", "9", "8", "7", "6", "5", "4", "3", "2", "10", "1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Sorted sets, as every write stores them, cost the reader no memory.
func TestSortedSetsAreWrittenWithoutAllocations(t *testing.T) {
	v := NewSet(NumberSet, NewInt(1), NewInt(20), NewInt(-3))
	buf := make([]byte, 0, 256)
	if n := testing.AllocsPerRun(10, func() { buf = v.AppendJSON(buf[:0]) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
