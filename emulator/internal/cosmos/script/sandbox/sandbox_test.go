package sandbox

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"
)

var errOver = errors.New("over")

// testHost ends a script after a number of ticks.
type testHost struct {
	ticks, most int
	signals     int
}

func (h *testHost) Now() time.Time { return time.UnixMilli(1_234_567_890_123) }

func (h *testHost) Tick() error {
	if h.ticks++; h.ticks > h.most {
		return errOver
	}
	return nil
}

func (h *testHost) HandleSignal(mail []byte) error {
	h.signals++
	mail[1] = mail[0] + 1
	if mail[0] == 0xFF {
		return errOver
	}
	return nil
}

const testPrelude = `(function (mail) {
  const ring = performance.now;
  return function (x) { mail[0] = x; ring(); return mail[1]; };
})`

var testTemplate = sync.OnceValues(func() (*Template, error) { return NewTemplate("(prelude)", testPrelude, 16) })

const testMemory = 32 << 20

func newVM(t testing.TB, host Host) *VM {
	t.Helper()
	template, err := testTemplate()
	if err != nil {
		t.Fatal(err)
	}
	vm, err := template.New(t.Context(), host, Limits{Memory: testMemory})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(vm.Close)
	return vm
}

// eval returns the value of a script, or of its exception, as text.
func eval(t testing.TB, vm *VM, source string) (string, error) {
	t.Helper()
	v, err := vm.Eval("test.js", source)
	var thrown Thrown
	if errors.As(err, &thrown) {
		v = thrown.Value
	} else if err != nil {
		return "", err
	}
	text, problem := vm.Text(v)
	if problem != nil {
		return "", problem
	}
	return text, err
}

func TestScriptsRun(t *testing.T) {
	t.Parallel()
	vm := newVM(t, &testHost{most: math.MaxInt})
	for source, want := range map[string]string{
		"1 + 1": "2", "'h\u00e9\U0001F600'": "h\u00e9\U0001F600", "Date.now()": "1234567890123",
		"null.x": "TypeError: cannot read property 'x' of null",
		"let n = 0; for (let i = 0; i < 1e6; i++) n += i; n": "499999500000", "new Date(0).getTimezoneOffset()": "0",
		"const f = n => n < 2 ? n : f(n - 1) + f(n - 2); f(20)": "6765", "JSON.stringify(JSON.parse('" + strings.Repeat("[",
			500) + strings.Repeat("]", 500) + "')).length": "1000",
		"[...'a-b-c'.matchAll(/[a-c]/g)].join()": "a,b,c", "2n ** 64n": "18446744073709551616",
	} {
		if got, err := eval(t, vm, source); got != want {
			t.Errorf("%s: %q, %v; want %q", source, got, err, want)
		}
	}
}

func TestNumbersRoundTrip(t *testing.T) {
	t.Parallel()
	vm := newVM(t, &testHost{most: math.MaxInt})
	for source, want := range map[string]float64{"0": 0, "-1": -1, "2147483648": 2147483648, "0.1": 0.1, "-1e300": -1e300,
		"5e-324": 5e-324, "1/0": math.Inf(1), "-1/0": math.Inf(-1)} {
		v, err := vm.Eval("test.js", source)
		if got, ok := v.Number(); !ok || got != want || err != nil {
			t.Errorf("%s: %v, %v, %v", source, got, ok, err)
		}
	}
	if v, _ := vm.Eval("test.js", "0/0"); true {
		if got, ok := v.Number(); !ok || !math.IsNaN(got) {
			t.Errorf("NaN: %v, %v", got, ok)
		}
	}
	for source, want := range map[string]bool{"true": true, "false": false} {
		v, err := vm.Eval("test.js", source)
		if got, ok := v.Bool(); !ok || got != want || err != nil {
			t.Errorf("%s: %v, %v, %v", source, got, ok, err)
		}
	}
	for _, source := range []string{"'1'", "[]", "null", "undefined", "Symbol()", "1n"} {
		v, err := vm.Eval("test.js", source)
		if got, ok := v.Number(); ok || err != nil {
			t.Errorf("%s is the number %v, %v", source, got, err)
		}
	}
}

func TestHostHandlesSignals(t *testing.T) {
	t.Parallel()
	host := &testHost{most: math.MaxInt}
	vm := newVM(t, host)
	for n := range int32(100) {
		v, err := vm.Call(vm.Entry(), Int(n))
		if got, _ := v.Number(); err != nil || got != float64(n+1) {
			t.Fatal(n, got, err)
		}
	}
	if _, err := vm.Call(vm.Entry(), Int(0xFF)); !errors.Is(err, errOver) || host.signals != 101 {
		t.Error(err, host.signals)
	}
	if _, err := vm.Call(vm.Entry(), Int(1)); !errors.Is(err, ErrDead) {
		t.Error("a VM was used after its end:", err)
	}
}

// TestEveryLoopTicks checks that all loops tick, including those of built-in functions and of the engine itself.
func TestEveryLoopTicks(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"for (;;);", "for (;;) try { for (;;); } finally { continue; }",
		"Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1)",
		"/^(a+)+$/.test('a'.repeat(50) + '!')", "[3, 2, 1].sort(() => { for (;;); })", "new Array(2 ** 32 - 1).indexOf(1)",
		"const f = () => Promise.resolve().then(f); f(); 0",
		"Array.prototype.includes.call(new Proxy([], {get: (t, k) => k === 'length' ? 2 ** 53 - 1 : 1}), 2)",
		"const a = new Uint8Array(1e6); for (;;) a.sort()", "let s = 'x'.repeat(1e6); for (;;) s.split('')",
	} {
		host := &testHost{most: 1000}
		vm := newVM(t, host)
		_, err := vm.Eval("test.js", source)
		if err == nil {
			err = vm.Jobs()
		}
		if !errors.Is(err, errOver) && !errors.Is(err, ErrMemory) {
			t.Errorf("%s: %v after %d ticks", source, err, host.ticks)
		}
	}
}

func TestMemoryIsLimited(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"const a = []; for (;;) try { a.push(new Array(1000).fill(0)); } catch (e) {}",
		"try { new ArrayBuffer(2 ** 30) } catch (e) {}",
		"let a = [1]; for (;;) a = a.concat(a)", "const a = []; let s = 'x'; for (;;) { s += s; a.push(s.split('x')); }",
	} {
		vm := newVM(t, &testHost{most: math.MaxInt})
		if _, err := eval(t, vm, source); !errors.Is(err, ErrMemory) {
			t.Errorf("%s: %v", source, err)
		}
		if size := vm.module.Memory().Size(); size > testMemory {
			t.Errorf("%s: %d bytes", source, size)
		}
	}
}

func TestStacksAreLimited(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"let d = 0; const f = () => { d++; f(); }; try { f(); } catch (e) { `${e} ${d > 4000}`; }":            "RangeError: Maximum call stack size exceeded true",
		"let n = 0; function* g() { n++; yield* g(); } try { g().next(); } catch (e) { `${e} ${n > 1000}`; }": "RangeError: Maximum call stack size exceeded true",
		"let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); try { p.x; } catch (e) { `${e}`; }":  "RangeError: Maximum call stack size exceeded",
		"const o = {toString() { return `${o}`; }}; try { `${o}`; } catch (e) { `${e}`; }":                    "RangeError: Maximum call stack size exceeded",
	} {
		if got, err := eval(t, newVM(t, &testHost{most: math.MaxInt}), source); got != want {
			t.Errorf("%s: %q, %v", source, got, err)
		}
	}
	for _, source := range []string{"JSON.parse('['.repeat(1e6))",
		"let a = []; for (let i = 0; i < 2e6; i++) a = [a]; a = null; 0"} {
		vm := newVM(t, &testHost{most: math.MaxInt})
		if got, err := eval(t, vm, source); err == nil {
			t.Errorf("%s: %q", source, got)
		}
	}
}

func TestVMsShareNothing(t *testing.T) {
	t.Parallel()
	one, other := newVM(t, &testHost{most: math.MaxInt}), newVM(t, &testHost{most: math.MaxInt})
	if _, err := eval(t, one,
		"Object.prototype.x = 1; globalThis.y = 2; Array.prototype.push = null; JSON = null; 0"); err != nil {
		t.Fatal(err)
	}
	if got, err := eval(t, other,
		"`${{}.x} ${typeof y} ${typeof [].push} ${typeof JSON}`"); got != "undefined undefined function object" {
		t.Error(got, err)
	}
}

func TestVMsRunConcurrently(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			vm := newVM(t, &testHost{most: math.MaxInt})
			for range 10 {
				if got, err := eval(t, vm,
					"(() => { let a = []; for (let i = 0; i < 1e4; i++) a.push({i}); return a.length; })()"); got != "10000" {
					t.Error(got, err)
				}
			}
		})
	}
	all.Wait()
}

// TestScriptsHaveNoSystemAccess checks that the functions of QuickJS's own library that open files do not exist.
func TestScriptsHaveNoSystemAccess(t *testing.T) {
	t.Parallel()
	vm := newVM(t, &testHost{most: math.MaxInt})
	for _, name := range []string{"std", "os", "bjson", "print", "scriptArgs", "process", "require", "WebAssembly",
		"fetch", "setTimeout", "Worker"} {
		if got, err := eval(t, vm, "typeof "+name); got != "undefined" {
			t.Errorf("%s is a %s, %v", name, got, err)
		}
	}
	for _, module := range []string{"std", "os", "qjs:std", "qjs:os", "/etc/passwd", "./x.js"} {
		if _, err := eval(t, vm, "globalThis.got = 'nothing'; import('"+module+
			"').then(() => { got = 'the module'; }, e => { got = e.name; }); 0"); err != nil {
			t.Fatal(err)
		}
		if err := vm.Jobs(); err != nil {
			t.Fatal(err)
		}
		if got, err := eval(t, vm, "got"); got == "nothing" || got == "the module" {
			t.Errorf("import of %s gives %s, %v", module, got, err)
		}
	}
}
