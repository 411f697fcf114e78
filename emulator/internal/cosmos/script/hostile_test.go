package script

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// hostileTime is the time limit in tests of endless scripts: less than the service's five seconds.
const hostileTime = 30 * time.Millisecond

// hostileMemory is the memory limit in bytes, less than MaxMemory.
const hostileMemory = 32 << 20

// liveness is the maximum duration of a script limited to hostileTime on a machine so busy that it hardly runs: ticks
// come every 100 µs of work.
const liveness = 5 * time.Minute

func hostileEngine() *Engine {
	e := newEngine()
	return New(Config{Now: e.config.Now, Random: e.config.Random, Time: hostileTime, Memory: hostileMemory})
}

// hostileScripts returns bodies of functions that would never end, exhaust the memory or the stack, or access the host:
// those of testdata/hostile.js, by name.
func hostileScripts(t testing.TB) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/hostile.js")
	if err != nil {
		t.Fatal(err)
	}
	scripts := map[string]string{}
	for _, part := range strings.Split(string(text), "\n//// ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		scripts[name] = body
	}
	return scripts
}

func TestHostileScriptsAreStopped(t *testing.T) {
	for name, body := range hostileScripts(t) {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			_, err := hostileEngine().Procedure(t.Context(), Procedure{Name: "hostile.js", Source: "function() { " + body + " }",
				Logs: true}, &fakeCollection{})
			var own *Error
			if !errors.As(err, &own) || own.Message == "" {
				t.Errorf("it ended in %v", err)
			}
			if took := time.Since(began); took > liveness {
				t.Errorf("it took %s: %v", took, err)
			}
		})
	}
	if size, most := resident(t), uint64(1<<30); size > most {
		t.Errorf("%d MB are resident after the scripts", size>>20)
	}
}

// TestScriptsCannotCatchTheirTermination checks that neither catch nor finally can keep a script from being ended.
func TestScriptsCannotCatchTheirTermination(t *testing.T) {
	t.Parallel()
	cases := map[string]Reason{
		`for (;;);`:                                                         TimedOut,
		`[1, 2].sort(() => { for (;;); });`:                                 TimedOut,
		`/^(a+)+$/.test('a'.repeat(40) + '!');`:                             TimedOut,
		`Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1);`:           TimedOut,
		`const a = []; for (;;) a.push({x: 'abc'});`:                        OutOfMemory,
		`let s = 'x'.repeat(1e6); const a = []; for (;;) a.push(s += 'x');`: OutOfMemory,
		`new ArrayBuffer(1e9);`:                                             OutOfMemory,
		`const m = new Map(); for (let i = 0; ; i++) m.set(i, {i});`:        OutOfMemory,
		`getContext().abort(new Error(77, 'enough'));`:                      Threw,
	}
	for body, want := range cases {
		e := hostileEngine()
		if want != TimedOut {
			e.config.Time = time.Minute
		}
		for _, around := range []string{"try { %s } catch (e) {}", "for (;;) { try { %s } finally { continue; } }",
			"Promise.reject(1).catch(() => { %s }).catch(() => {});", "[1].map(() => { try { %s } catch (e) { return 1; } });"} {
			source := "function() { " + strings.Replace(around, "%s", body, 1) + " __.response.setBody('survived'); }"
			_, err := e.Procedure(t.Context(), Procedure{Source: source}, &fakeCollection{})
			var own *Error
			if !errors.As(err, &own) || own.Reason != want {
				t.Errorf("%s: %v; want reason %d", source, err, want)
			}
		}
	}
}

// TestMemoryOfHostileScriptsIsReleased runs scripts one after the other, and does not depend on Go's garbage collector.
func TestMemoryOfHostileScriptsIsReleased(t *testing.T) {
	e := New(Config{Now: time.Now, Random: func() uint64 { return 1 }, Time: time.Minute, Memory: hostileMemory / 2})
	// compiles the engine
	if _, err := e.Procedure(t.Context(), Procedure{Source: `function() {}`}, &fakeCollection{}); err != nil {
		t.Fatal(err)
	}
	before := resident(t)
	for range 200 {
		_, err := e.Procedure(t.Context(),
			Procedure{Source: `function() { const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1)); }`}, &fakeCollection{})
		if own, ok := err.(*Error); !ok || own.Reason != OutOfMemory {
			t.Fatal(err)
		}
	}
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	if after := resident(t); after > before+4*hostileMemory {
		t.Errorf("%d MB were resident before, %d after, %d of them Go's heap", before>>20, after>>20, heap.HeapInuse>>20)
	}
}

// resident returns the resident memory of the process in bytes; the heap size if the system does not report it.
func resident(t testing.TB) uint64 {
	t.Helper()
	if text, err := os.ReadFile(filepath.Join("/proc", "self", "statm")); err == nil {
		pages, err := strconv.ParseUint(strings.Fields(string(text))[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return pages * uint64(os.Getpagesize())
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// TestScriptsCannotReadHostMemory checks that other memory of the process does not count for a script.
func TestScriptsCannotReadHostMemory(t *testing.T) {
	t.Parallel()
	e := newEngine()
	const most = 512 << 20
	held := make([][]byte, 0, 64)
	r, err := e.Procedure(t.Context(), Procedure{Source: `function() {
		let s = 0;
		const collection = getContext().getCollection();
		for (let i = 0; i < 64; i++) collection.readDocuments(collection.getSelfLink(), () => { s++; __.response.setBody(s); });
	}`}, holding{fakeCollection: &fakeCollection{}, hold: func() {
		if len(held) < cap(held) {
			held = append(held, make([]byte, most/cap(held)))
		}
	}})
	if err != nil || r.Body.JSON() != "64" || len(held) != 64 {
		t.Errorf("%s, %v", r.Body.JSON(), err)
	}
	runtime.KeepAlive(held)
}

// holding is a collection in a process that allocates memory in the meantime.
type holding struct {
	*fakeCollection
	hold func()
}

func (h holding) Quota() (string, string) {
	h.hold()
	return h.fakeCollection.Quota()
}

func TestCompilingLongSourcesIsLimited(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		strings.Repeat("!", 200_000) + "1", strings.Repeat("1+", 100_000) + "1", strings.Repeat("a=>", 80_000) + "1",
		strings.Repeat("1?", 60_000) + "1" + strings.Repeat(":1", 60_000), "a" + strings.Repeat(".a", 100_000),
		strings.Repeat("(a=>", 40_000) + "1", strings.Repeat("`${", 40_000) + "1" + strings.Repeat("}`", 40_000),
		"1;" + strings.Repeat("x:", 100_000), strings.Repeat("(", 200_000), strings.Repeat("[", 100_000) +
			strings.Repeat("]", 100_000),
		strings.Repeat("if(1)", 50_000), strings.Repeat("a=1;", 60_000), strings.Repeat("new ", 60_000) + "a",
		strings.Repeat("x:;", 80_000),
		"a = '" + strings.Repeat("x", 200_000) + "'", strings.Repeat("else if(1)", 20_000),
		strings.Repeat("typeof ", 30_000) + "a",
		strings.Repeat("for(;;)", 30_000), "/" + strings.Repeat("(", 100_000) + strings.Repeat(")", 100_000) + "/",
		strings.Repeat("{", 120_000) + strings.Repeat("}", 120_000), "class A { " + strings.Repeat("static {", 30_000),
	} {
		began := time.Now()
		p, err := newEngine().compile(t.Context(), "f.js", "function() { "+source+"; }")
		var own *Error
		if err != nil && !errors.As(err, &own) || err == nil && p.text == "" {
			t.Errorf("%.40s: %v", source, err)
		}
		if took := time.Since(began); took > liveness {
			t.Errorf("%.40s: %s, %v", source, took, err)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, body := range hostileScripts(f) {
		f.Add("function() { " + body + " }")
	}
	f.Add("(a, b) => a + b")
	f.Add("function f(){} ; // x")
	e := newEngine()
	if _, err := e.compile(f.Context(), "f.js", "() => 1"); err != nil { // also compiles the engine
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if _, err := e.compile(t.Context(), "f.js", source); err != nil {
			if _, ok := err.(*Error); !ok {
				t.Error(err)
			}
		}
	})
}
