package builtin

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// odd are unusual arguments.
var odd = []string{
	"undefined", "null", "true", "0", "-1", "1", "2.5", "-0.5", "1e308", "-1e-308", "9007199254740993",
	"9223372036854775807", "-9223372036854775808", "1e100", "64",
	`""`, `" "`, `"a"`, `"é\u0301"`, `"😀b"`, `"\u0000"`, `"a.*(b|c)+$"`, `"(?<n>a)["`, `"[^ #\\] ] # x"`, `"imsx"`,
	`"yyyy-MM-ddTHH:mm:ss.fffffffZ"`, `"'%y\\"`,
	`"2026-03-29T01:30:00.1234567Z"`, `"9999-12-31T23:59:59.9999999Z"`, `"0001-01-01T00:00:00.0000000Z"`, `"2024-02-29"`,
	`"month"`, `"ns"`, `"wk"`,
	`"[1,{\"a\":null}]"`, `"-1.50e3"`, `"{"`, `"en-US"`,
	"[]", "[1,2,2,null,\"a\"]", `["storm","sea"]`, "[[1],[2,[3]]]", "[0.5,-1,3]", "[127,-128,0]",
	"{}", `{"a":1,"b":{"c":[true]}}`, `{"term":"storm","distance":2}`, `{"distanceFunction":"cosine","dataType":"int8"}`,
	`{"type":"Point","coordinates":[180,-90]}`, `{"type":"Point","coordinates":[1e300,null]}`,
	`{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}`,
	`{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,1],[1,0],[0,0]]]}`,
	`{"type":"LineString","coordinates":[[179,1],[-179,1]]}`,
	`{"type":"MultiPolygon","coordinates":[[[[0,0],[170,0],[170,80],[0,0]]]]}`,
}

// mostSize is the maximum size of a result for short arguments.
const mostSize = 1 << 25

// tryFunctions calls all functions with arguments chosen by a seed, and a further one. Each call must end, and return
// the same result twice.
func tryFunctions(t *testing.T, seed uint64, further doc.Value) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 2))
	pool := append(values(t, odd...), further)
	for _, name := range Names() {
		f, _ := Lookup(name)
		most := f.Max
		if most < 0 {
			most = f.Min + 3
		}
		args := make([]doc.Value, f.Min+random.IntN(most-f.Min+1))
		for i := range args {
			args[i] = pool[random.IntN(len(pool))]
		}
		env := testEnv()
		env.Planar = seed%2 == 0
		began := time.Now()
		result := f.Call(env, args)
		if again := f.Call(env, args); result.JSON() != again.JSON() {
			t.Errorf("%s%s: %s, then %s", name, doc.Array(args...).JSON(), result.JSON(), again.JSON())
		}
		if took := time.Since(began); took > 10*time.Second || result.Defined() && len(result.JSON()) > mostSize {
			t.Errorf("%s%s: %s, %d bytes", name, doc.Array(args...).JSON(), took, len(result.JSON()))
		}
	}
}

func TestFunctionsTakeAnyArguments(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		tryFunctions(t, seed, doc.Value{})
	}
}

func FuzzFunctions(f *testing.F) {
	f.Add(uint64(1), []byte(`"(a+)+$"`))
	f.Add(uint64(2), []byte(`{"type":"Polygon","coordinates":[[[0,0],[1e9,0],[1,1],[0,0]]]}`))
	f.Fuzz(func(t *testing.T, seed uint64, text []byte) {
		further, err := doc.Parse(text)
		if err != nil {
			further = doc.String(string(text))
		}
		tryFunctions(t, seed, further)
	})
}
