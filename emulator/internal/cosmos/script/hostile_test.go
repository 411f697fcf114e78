package script

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// hostile are scripts that would never end, or take all memory, or all of the stack.
var hostile = map[string]string{
	"a loop":                       `for (;;);`,
	"a loop that catches":          `for (;;) { try { for (;;); } catch (e) {} finally { continue; } }`,
	"promises for ever":            `const again = () => Promise.resolve().then(again); again();`,
	"await for ever":               `(async () => { for (;;) await null; })();`,
	"a generator for ever":         `const g = function* () { for (;;) yield 1; }; [...g()];`,
	"callbacks for ever":           `const again = () => { if (!__.readDocuments(__.getSelfLink(), again)) for (;;); }; again();`,
	"pushing for ever":             `const a = []; for (;;) a.push({x: 'abc'});`,
	"doubling a string":            `let s = 'xxxxxxxx'; for (;;) s += s;`,
	"doubling an array":            `let a = [1, 2]; for (;;) a = a.concat(a);`,
	"doubling by spread":           `let a = [1, 2]; for (;;) a = [...a, ...a];`,
	"doubling by push":             `let a = [1, 2]; for (;;) a.push(...a);`,
	"repeat":                       `'x'.repeat(1e12);`,
	"repeat of much":               `'x'.repeat(8e6).repeat(8e6);`,
	"padStart":                     `'x'.padStart(1e12);`,
	"padEnd by valueOf":            `let n = 1; 'x'.padEnd({valueOf() { return (n *= 1e6); }}); 'x'.padEnd({valueOf() { return (n *= 1e6); }});`,
	"fill":                         `new Array(4294967295).fill(0);`,
	"a sparse array":               `const a = []; a[4294967290] = 1; a.map(x => x); throw 1;`,
	"a sparse array, searched":     `const a = []; a.length = 4294967295; a.indexOf(1); throw 1;`,
	"a sparse array, spread":       `const a = []; a.length = 4294967295; [...a];`,
	"a sparse array, iterated":     `const a = []; const it = a[Symbol.iterator](); a.length = 4294967295; new Set({[Symbol.iterator]: () => it});`,
	"an array-like":                `Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1);`,
	"an array-like that grows":     `let n = 1; Array.prototype.forEach.call({get length() { return n *= 1e8; }}, x => x); Array.prototype.forEach.call({get length() { return n *= 1e8; }}, x => x);`,
	"a proxy of an array":          `Array.prototype.includes.call(new Proxy([], {get: (t, k) => k === 'length' ? 2 ** 53 - 1 : undefined}), 1);`,
	"Array.from":                   `Array.from({length: 1e12});`,
	"join":                         `new Array(1e9).join('xxxxxxxx');`,
	"join of one string":           `const s = 'x'.repeat(4e6); new Array(4e6).join(s);`,
	"toString of shared arrays":    `let a = ['x']; for (let i = 0; i < 60; i++) a = [a, a]; String(a);`,
	"a deep array as text":         `let a = []; for (let i = 0; i < 2e5; i++) a = [a]; String(a);`,
	"a deep array as JSON":         `let a = []; for (let i = 0; i < 2e5; i++) a = [a]; JSON.stringify(a);`,
	"a deep array as the answer":   `let a = []; for (let i = 0; i < 2e5; i++) a = [a]; __.response.setBody(a);`,
	"a deep array, flat":           `let a = []; for (let i = 0; i < 2e5; i++) a = [a]; a.flat(Infinity);`,
	"shared arrays, flat":          `let a = ['x']; for (let i = 0; i < 60; i++) a = [a, a]; a.flat(Infinity);`,
	"shared arrays as JSON":        `let a = ['x']; for (let i = 0; i < 60; i++) a = [a, a]; JSON.stringify(a);`,
	"toJSON for ever":              `JSON.stringify({toJSON() { for (;;); }});`,
	"the answer's toJSON":          `__.response.setBody({x: 1}); Object.prototype.toJSON = function () { for (;;); };`,
	"a deep text as JSON":          `JSON.parse('['.repeat(1e6));`,
	"replace by what is before":    "'x'.repeat(1e6).replace(/x/g, '$`');",
	"replaceAll by much":           `'x'.repeat(4e6).replaceAll('x', 'y'.repeat(4e6));`,
	"Symbol.replace":               "/x/g[Symbol.replace]('x'.repeat(1e6), \"$'\");",
	"a pattern that backtracks":    `/^(?=a)(a+)+$/.test('a'.repeat(64) + '!');`,
	"a long pattern":               `new RegExp('('.repeat(8e6));`,
	"concat of strings":            `const s = 'x'.repeat(8e6); s.concat.apply(s, new Array(1e4).fill(s));`,
	"many arguments":               `Math.max.apply(null, {length: 1e9});`,
	"many arguments by Reflect":    `Reflect.apply(Math.max, null, {length: 1e9});`,
	"many arguments to construct":  `Reflect.construct(Array, {length: 1e9});`,
	"an array buffer":              `new ArrayBuffer(1e12);`,
	"a typed array":                `new Uint8Array(1e12);`,
	"typed arrays":                 `const a = []; for (;;) a.push(new Float64Array(1e6));`,
	"a typed array's constructor":  `new ((new Uint8Array(1)).constructor)(1e12);`,
	"recursion":                    `const f = () => f(); f();`,
	"recursion that catches":       `const f = () => { try { f(); } catch (e) { f(); } }; f();`,
	"recursion through a built-in": `const f = () => [1].forEach(f); f();`,
	"recursion by toString":        `const o = {toString() { return '' + this; }}; '' + o;`,
	"recursion by a getter":        `const o = {get x() { return this.x; }}; o.x;`,
	"a chain of proxies":           `let p = {}; for (;;) p = new Proxy(p, {}); `,
	"a chain of proxies, used":     `let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x; throw 1;`,
	"a chain of prototypes":        `let p = {}; for (let i = 0; i < 2e5; i++) p = Object.create(p); p.x; throw 1;`,
	"a chain of bound functions":   `let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); f(); throw 1;`,
	"sort for ever":                `[3, 2, 1].sort(() => { for (;;); });`,
	"a log for ever":               `for (;;) console.log('xxxxxxxxxxxxxxxxxxxxxxxx');`,
	"String.raw":                   `String.raw({raw: {length: 2 ** 53 - 1}});`,
	"a hostile length as answer":   `__.response.setBody(new Array(4294967295));`,
	"typeof a big number":          `BigInt(2);`,
	"fromEntries for ever":         `Object.fromEntries({[Symbol.iterator]: () => ({next: () => ({done: false, value: [Math.random(), 1]})})});`,
	"a map for ever":               `new Map({[Symbol.iterator]: () => ({next: () => ({done: false, value: [Math.random(), 1]})})});`,
}

// brief makes the tests of endless scripts shorter than the service's five seconds.
const brief = 100 * time.Millisecond

func TestHostileScriptsEnd(t *testing.T) {
	for name, body := range hostile {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			e := newEngine()
			e.config.Time = brief
			_, err := e.Procedure(t.Context(), Procedure{Source: "function() { " + body + " }", Logs: true}, &desk{})
			if own, ok := err.(*Error); !ok || own.Message == "" {
				t.Errorf("it ended in %v", err)
			}
			if took := time.Since(began); took > 3*MaxTime { // a pattern gives up by itself, a second after MaxTime
				t.Errorf("it took %s: %v", took, err)
			}
			runtime.GC()
		})
	}
}

// Memory is the whole process's: this test is not parallel to others.
func TestMemoryIsBounded(t *testing.T) {
	for _, body := range []string{
		`const a = []; for (;;) a.push({x: 'abc'});`, `let s = 'xxxxxxxx'; for (;;) s += s;`, `const m = new Map(); for (let i = 0; ; i++) m.set(i, {i});`,
	} {
		e := newEngine()
		e.config.Time, e.config.Growth = time.Minute, 32<<20
		_, err := e.Procedure(t.Context(), Procedure{Source: "function() { try { " + body + " } catch (e) {} }"}, &desk{})
		if own, ok := err.(*Error); !ok || own.Reason != TooLarge {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestSourcesThatTheParserCannotTakeAreRefused(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		strings.Repeat("!", 200_000) + "1", strings.Repeat("1+", 100_000) + "1", strings.Repeat("a=>", 80_000) + "1",
		strings.Repeat("1?", 60_000) + "1" + strings.Repeat(":1", 60_000), "a" + strings.Repeat(".a", 100_000),
		strings.Repeat("(a=>", 40_000) + "1", strings.Repeat("`${", 40_000) + "1" + strings.Repeat("}`", 40_000),
		"1;" + strings.Repeat("x:", 100_000),
	} {
		if _, err := compile("f.js", "function() { return "+source+"; }"); err == nil {
			t.Errorf("%.40s was compiled", source)
		}
	}
}

func TestLongSourcesAreCompiledSoon(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		strings.Repeat("if(1)", 50_000), strings.Repeat("a=1;", 60_000), strings.Repeat("new ", 60_000) + "a", strings.Repeat("x:;", 80_000),
		strings.Repeat("a=>", 2000) + "1", strings.Repeat("x:", maxColons-1), "a = '" + strings.Repeat("x", 200_000) + "'",
		strings.Repeat("else if(1)", 20_000), strings.Repeat("typeof ", 30_000) + "a", strings.Repeat("for(;;)", 30_000),
	} {
		began := time.Now()
		if _, err := compile("f.js", "function() { "+source+"; }"); time.Since(began) > 10*time.Second {
			t.Errorf("%.40s: %s, %v", source, time.Since(began), err)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, body := range hostile {
		f.Add("function() { " + body + " }")
	}
	f.Add("(a, b) => a + b")
	f.Add("function f(){} ; // x")
	f.Fuzz(func(t *testing.T, source string) {
		if _, err := compile("f.js", source); err != nil {
			if _, ok := err.(*Error); !ok {
				t.Error(err)
			}
		}
	})
}
