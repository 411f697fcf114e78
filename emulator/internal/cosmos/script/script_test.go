package script

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// fakeCollection is a container of one partition in memory.
type fakeCollection struct {
	items   []doc.Value
	ids     int
	queries []string
	closed  bool // it accepts nothing
}

func (d *fakeCollection) SelfLink() string        { return "dbs/AAAA/colls/AAAAAAA=/" }
func (d *fakeCollection) AltLink() string         { return "dbs/d/colls/c" }
func (d *fakeCollection) Accepts() bool           { return !d.closed }
func (d *fakeCollection) Quota() (string, string) { return "collectionSize=10;", "collectionSize=1;" }
func (d *fakeCollection) NewID() string           { d.ids++; return fmt.Sprintf("generated-%d", d.ids) }

func (d *fakeCollection) find(t Target) int {
	return slices.IndexFunc(d.items, func(v doc.Value) bool {
		return t.ID != "" && v.Field("id").Str() == t.ID || t.RID != "" && v.Field("_rid").Str() == t.RID
	})
}

func (d *fakeCollection) put(i int, v doc.Value) doc.Value {
	v = v.With("_rid", doc.String("rid"+strconv.Itoa(i))).With("_self",
		doc.String(fmt.Sprintf("%sdocs/rid%d/", d.SelfLink(), i)))
	if i == len(d.items) {
		d.items = append(d.items, v)
	}
	d.items[i] = v
	return v
}

func (d *fakeCollection) Create(v doc.Value, _ Options) (doc.Value, error) {
	if d.find(Target{ID: v.Field("id").Str()}) >= 0 {
		return v, &StatusError{409, `{"Errors":["Resource with specified id or name already exists."]}`}
	}
	return d.put(len(d.items), v), nil
}

func (d *fakeCollection) Upsert(v doc.Value, o Options) (doc.Value, error) {
	if i := d.find(Target{ID: v.Field("id").Str()}); i >= 0 {
		return d.put(i, v), nil
	}
	return d.Create(v, o)
}

func (d *fakeCollection) Read(t Target, _ Options) (doc.Value, error) {
	i := d.find(t)
	if i < 0 {
		return doc.Value{}, &StatusError{404, `{"Errors":["Resource Not Found."]}`}
	}
	return d.items[i], nil
}

func (d *fakeCollection) Replace(t Target, v doc.Value, _ Options) (doc.Value, error) {
	i := d.find(t)
	if i < 0 {
		return doc.Value{}, &StatusError{404, `{"Errors":["Resource Not Found."]}`}
	}
	return d.put(i, v), nil
}

func (d *fakeCollection) Delete(t Target, _ Options) error {
	i := d.find(t)
	if i < 0 {
		return &StatusError{404, `{"Errors":["Resource Not Found."]}`}
	}
	d.items = slices.Delete(d.items, i, i+1)
	return nil
}

func (d *fakeCollection) List(f Feed) ([]doc.Value, string, error) {
	from, _ := strconv.Atoi(f.Continuation)
	end := len(d.items)
	if f.PageSize >= 0 {
		end = min(end, from+f.PageSize)
	}
	next := ""
	if end < len(d.items) {
		next = strconv.Itoa(end)
	}
	return slices.Clone(d.items[from:end]), next, nil
}

// Query supports one query: of the items that contain the parameter @id, or of all items.
func (d *fakeCollection) Query(q doc.Value, f Feed) ([]doc.Value, string, error) {
	d.queries = append(d.queries, q.JSON())
	want := q.Field("parameters").At(0).Field("value").Str()
	if want == "" {
		return d.List(f)
	}
	if i := d.find(Target{ID: want}); i >= 0 {
		return d.items[i : i+1], "", nil
	}
	return nil, "", nil
}

func newEngine() *Engine {
	n := uint64(0)
	return New(Config{
		Now:    func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
		Random: func() uint64 { n += 0x9E3779B97F4A7C15; return n },
		Time:   time.Minute, // of the machine, which may be busy
	})
}

func values(t testing.TB, text string) []doc.Value {
	v, err := doc.Parse([]byte("[" + text + "]"))
	if err != nil {
		t.Fatal(err)
	}
	return v.Elements()
}

// execute executes a stored procedure with arguments as JSON and returns its response as JSON.
func execute(t testing.TB, c Collection, source, args string) (string, error) {
	r, err := newEngine().Procedure(t.Context(), Procedure{Name: "sproc.js", Source: source, Args: values(t, args),
		Logs: true}, c)
	return r.Body.JSON(), err
}

// failure returns the *Error of a procedure, which must fail.
func failure(t testing.TB, source, args string) *Error {
	t.Helper()
	body, err := execute(t, &fakeCollection{}, source, args)
	var own *Error
	if !errors.As(err, &own) {
		t.Fatalf("%s: %s, %v", source, body, err)
	}
	return own
}

func TestProcedureResults(t *testing.T) {
	t.Parallel()
	cases := []struct{ source, args, want string }{
		{`function() { getContext().getResponse().setBody("Hello, World"); }`, "", `"Hello, World"`},
		{`function(name) { __.response.setBody({hello: name}); };`, `"x"`, `{"hello":"x"}`},
		{`// a comment
		function named(a, b) { getContext().getResponse().setBody(a + b); } // and one behind`, `1, 2`, `3`},
		{`(a) => { __.response.setBody(a.map(x => x * 2)) }`, `[1, 2.5]`, `[2,5]`},
		{"\ufefffunction f() { var x = 42; }", "", `""`},
		{`async function f() { await null; __.response.setBody(new Date().toISOString()); }`, "",
			`"2026-01-02T03:04:05.000Z"`},
		{`function f() { __.response.setBody(__.request.getBody().length); helper(); } function helper() { __.response.appendBody(1); }`,
			`1,2`, `3`},
		{`function f() { for (let i = 0; i < 3; i++) getContext().getResponse().appendValue('Body', 'x'); }`, "", `"xxx"`},
		{`function f() { for (let i = 0; i < 3; i++) getContext().getResponse().appendValue('Body', i); }`, "", `"012"`},
		{`function f() { __.response.setBody({u: undefined, n: NaN, f: f, d: new Date(0), a: [undefined], s: "\ud800"}); }`,
			"",
			`{"n":null,"d":"1970-01-01T00:00:00.000Z","a":[null],"s":"` + "\ufffd" + `"}`},
		{`function f(o) { __.response.setBody([Object.getPrototypeOf(o) === Object.prototype, o]); }`,
			`{"__proto__": {"a": 1}}`, `[true,{"__proto__":{"a":1}}]`},
		{`function f() { __.response.setBody([__.getSelfLink(), getContext().getCollection().getAltLink()]); }`, "",
			`["dbs/AAAA/colls/AAAAAAA=/","dbs/d/colls/c"]`},
		{`function f() { __.response.setBody(JSON.stringify({a: [1, {}]}, null, 1) + JSON.stringify([3, 4], (k, v) => k === '0' ? 9 : v) + JSON.parse('[1]', (k, v) => v === 1 ? 2 : v)); }`,
			"",
			`"{\n \"a\": [\n  1,\n  {}\n ]\n}[9,4]2"`},
		{`function f() { __.response.setBody(null); }`, "", `null`},
	}
	for _, c := range cases {
		if got, err := execute(t, &fakeCollection{}, c.source, c.args); err != nil || got != c.want {
			t.Errorf("%s: %s, %v; want %s", c.source, got, err, c.want)
		}
	}
}

func TestProcedureErrors(t *testing.T) {
	t.Parallel()
	cases := []struct {
		source  string
		number  int
		message string
	}{
		{`function() { throw new Error(1234, 'Error 1234'); }`, 1234,
			"Exception = Error: Error 1234\r\nStack trace: Error: Error 1234\n   at "},
		{`function() { throw new Error('plain'); }`, 0,
			"Encountered exception while executing function. Exception = Error: plain"},
		{`function() { throw 'a string'; }`, 0, "Exception = a string"},
		{`function() { throw {number: 7, toString() { return 'own'; }}; }`, 7, "Exception = own"},
		{`function() { throw {toString() { throw 1; }}; }`, 0, "Exception = Error"},
		{`function() { null.x; }`, 0, "TypeError"},
		{`function() { __.readDocument(__.getAltLink() + '/docs/none'); }`, 404, "Resource Not Found"},
		{`function() { __.readDocument(__.getAltLink() + '/docs/none', {}, (err) => { throw err; }); }`, 404,
			"Resource Not Found"},
		{`function() { __.readDocument('dbs/d/colls/other/docs/x'); }`, 400, "outside current collection"},
		{`function() { __.readDocument('nonsense'); }`, 400, `Invalid document link: "nonsense".`},
		{`function() { __.createDocument(__.getSelfLink()); }`, 400,
			`The function "createDocument" requires at least 2 argument(s) but was called with 1 argument(s).`},
		{`function() { __.createDocument(__.getSelfLink(), 1); }`, 400, "The document body must be an object"},
		{`function() { __.createDocument(__.getSelfLink(), {}, 5); }`, 400,
			`The "options" parameter must be of type "object". Actual type is: "number".`},
		{`function() { __.createDocument(__.getSelfLink(), {}, {}, 5); }`, 400,
			`The "callback" parameter must be of type "function".`},
		{`function() { __.response.setValue('Other', 1); }`, 400, "Cannot set new values: Other"},
		{`function() { __.response.setBody('x'.repeat(5 << 20)); }`, 413,
			`Resulting message would be too large because of "Body"`},
		{`function() { getContext().abort(new Error(77, 'enough')); __.response.setBody(1); }`, 77,
			"Exception = Error: enough"},
		{`function() { (async () => { throw new Error(5, 'late'); })().catch(err => getContext().abort(err)); }`, 5, "late"},
		{`function() { Promise.reject(1).catch(getContext().abort); }`, 0, "Exception = 1"},
		{`function() { eval('1'); }`, 0, "EvalError"},
		{`function() { (() => {}).constructor('return 1')(); }`, 0, "EvalError"},
		{`function() { require('fs'); }`, 0, "ReferenceError"},
	}
	for _, c := range cases {
		e := failure(t, c.source, "")
		if e.Reason != Threw || e.Number != c.number || !strings.Contains(e.Message, c.message) {
			t.Errorf("%s: %d %q", c.source, e.Number, e.Message)
		}
	}
}

func TestInvalidSourcesAreRejected(t *testing.T) {
	t.Parallel()
	for _, source := range []string{"", "function() { This is to create a Compile Error! }", "method() {}", "42",
		"function() { return 1n; }",
		strings.Repeat("(", 100_000), "function() { " + strings.Repeat("[", 5000) + "}", strings.Repeat("x", MaxSource+1),
		"var x = 1;"} {
		if e := failure(t, source, ""); e.Reason != CompileFailed {
			t.Errorf("%.40s: %d %s", source, e.Reason, e.Message)
		}
	}
}

func TestLogs(t *testing.T) {
	t.Parallel()
	source := `function() { console.log('this is a test'); console.log('%s%% of %s', 5, 'x'); console.log({a: 1}); if (this) throw new Error(__.response.getBody()) }`
	r, err := newEngine().Procedure(t.Context(),
		Procedure{Source: `function() { console.log('this is a test'); console.log('%s%% of %s', 5, 'x'); console.log({a: 1}); }`,
			Logs: true}, &fakeCollection{})
	if want := "this%20is%20a%20test5%25%20of%20x%7B%22a%22:1%7D"; err != nil || r.Log != want {
		t.Errorf("%q, %v", r.Log, err)
	}
	if r, err = newEngine().Procedure(t.Context(), Procedure{Source: source}, &fakeCollection{}); err == nil &&
		r.Log != "" {
		t.Errorf("logged %q without being asked to", r.Log)
	}
}

func TestScriptsAreIsolated(t *testing.T) {
	t.Parallel()
	e := newEngine()
	for range 2 {
		r, err := e.Procedure(t.Context(), Procedure{Source: `function() {
			__.response.setBody([typeof seen, [].map === 1, String(Object.prototype.x)]);
			seen = 1; Array.prototype.map = 1; Object.prototype.x = 1; }`}, &fakeCollection{})
		if err != nil || r.Body.JSON() != `["undefined",false,"undefined"]` {
			t.Fatal(r.Body.JSON(), err)
		}
	}
}

func TestScriptStopsWhenTheRequestIsCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newEngine().Procedure(ctx, Procedure{Source: `function() { for (;;); }`},
		&fakeCollection{}); !errors.Is(err,
		context.Canceled) {
		t.Error(err)
	}
}
