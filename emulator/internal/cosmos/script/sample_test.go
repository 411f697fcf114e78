package script

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

func sample(t testing.TB, name string) string {
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// with returns a collection with items, given as JSON.
func with(t testing.TB, items ...string) *fakeCollection {
	d := &fakeCollection{}
	for _, text := range items {
		if _, err := d.Create(values(t, text)[0], Options{}); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func (d *fakeCollection) field(name string) string {
	var all []string
	for _, v := range d.items {
		all = append(all, v.Field(name).JSON())
	}
	return strings.Join(all, " ")
}

func TestBulkImport(t *testing.T) {
	t.Parallel()
	d := &fakeCollection{}
	got, err := execute(t, d, sample(t, "bulkImport.js"), `[{"id":"a"},{"n":1},{"id":"b"}]`)
	if err != nil || got != "3" || d.field("id") != `"a" "generated-1" "b"` {
		t.Errorf("%s, %v: %s", got, err, d.field("id"))
	}
	if got, err = execute(t, &fakeCollection{closed: true}, sample(t, "bulkImport.js"), `[{"id":"a"}]`); err != nil ||
		got != "0" {
		t.Errorf("where nothing is accepted: %s, %v", got, err)
	}
	if e := failure(t, sample(t, "bulkImport.js"), `[{"id":"a"},{"id":"a"}]`); e.Number != 409 {
		t.Errorf("twice the same: %+v", e)
	}
}

func TestTradePlayers(t *testing.T) {
	t.Parallel()
	d := with(t, `{"id":"1","team":"red"}`, `{"id":"2","team":"blue"}`)
	if got, err := execute(t, d, sample(t, "tradePlayers.js"), `"1","2"`); err != nil || got != `""` ||
		d.field("team") != `"blue" "red"` {
		t.Errorf("%s, %v: %s", got, err, d.field("team"))
	}
	if want := `{"query":"SELECT * FROM Players p where p.id = @id","parameters":[{"name":"@id","value":"1"}]}`; d.queries[0] != want {
		t.Error(d.queries[0])
	}
	if e := failure(t, sample(t, "tradePlayers.js"), `"1","2"`); !strings.Contains(e.Message,
		"Exception = Unable to find both names") {
		t.Error(e.Message)
	}
}

func TestAsyncSample(t *testing.T) {
	t.Parallel()
	d := with(t, `{"id":"1"}`, `{"id":"2"}`, `{"id":"3"}`)
	if _, err := execute(t, d, sample(t, "asyncSample.js"), ``); err != nil || d.field("newProp") != `1 1 1` {
		t.Errorf("%v: %s", err, d.field("newProp"))
	}
	_, err := execute(t, d, strings.Replace(sample(t, "asyncSample.js"), "doc.newProp = 1", "throw new Error(8, 'no')", 1),
		``)
	if own := (*Error)(nil); !errors.As(err, &own) || own.Number != 8 {
		t.Error(err)
	}
}

func TestPreTriggers(t *testing.T) {
	t.Parallel()
	body, err := newEngine().PreTrigger(t.Context(), Trigger{Operation: "Create", Request: values(t, `{"id":"abc"}`)[0],
		Source: `function validate() {
		var request = getContext().getRequest();
		var item = request.getBody();
		if (!("timestamp" in item)) item["timestamp"] = new Date().getTime();
		item.operation = request.getOperationType();
		item.response = typeof getContext().getResponse;
		request.setBody(item);
	}`}, &fakeCollection{})
	if want := `{"id":"abc","timestamp":1767323045000,"operation":"Create","response":"undefined"}`; err != nil ||
		body.JSON() != want {
		t.Errorf("%s, %v", body.JSON(), err)
	}
	// Changes of the body by a callback after setBody count, too.
	body, err = newEngine().PreTrigger(t.Context(), Trigger{Request: values(t, `{"id":"x"}`)[0], Source: `function() {
		var item = __.request.getBody();
		__.queryDocuments(__.getSelfLink(), "SELECT VALUE MAX(r.n) FROM r", function (err, found) { item.n = found.length + 1; });
		__.request.setBody(item);
	}`}, with(t, `{"id":"y"}`))
	if err != nil || body.JSON() != `{"id":"x","n":2}` {
		t.Errorf("%s, %v", body.JSON(), err)
	}
	_, err = newEngine().PreTrigger(t.Context(), Trigger{Request: body, Source: `function() { __.filter(x => true); }`},
		&fakeCollection{})
	if own := (*Error)(nil); !errors.As(err, &own) || !strings.Contains(own.Message, "pre-trigger") {
		t.Error(err)
	}
}

func TestPostTriggers(t *testing.T) {
	t.Parallel()
	d := with(t, `{"id":"_metadata","createdItems":0,"createdNames":""}`)
	item := values(t, `{"id":"abc"}`)[0]
	body, err := newEngine().PostTrigger(t.Context(), Trigger{Operation: "Create", Request: item, Response: item,
		Source: sample(t, "updateMetadata.js")}, d)
	if err != nil || body.JSON() != `{"id":"abc"}` || d.field("createdNames") != `" abc"` ||
		d.field("createdItems") != "1" {
		t.Errorf("%s, %v: %s", body.JSON(), err, d.field("createdNames"))
	}
	_, err = newEngine().PostTrigger(t.Context(), Trigger{Request: item, Response: item,
		Source: `function() { __.request.setBody({}); }`}, d)
	if own := (*Error)(nil); !errors.As(err, &own) {
		t.Errorf("the request of a post-trigger was set: %v", err)
	}
}

func TestFunctions(t *testing.T) {
	t.Parallel()
	sources := map[string]string{
		"tax": `function tax(income) {
			if (income == undefined) throw 'no input';
			if (income < 1000) return income * 0.1;
			return income < 10000 ? income * 0.2 : income * 0.4;
		}`,
		"none": `function() {}`, "context": `function() { return typeof getContext + typeof __ + typeof console; }`,
		"match": `function(s, p) { return s.match(p) !== null; }`, "nan": `function() { return NaN; }`,
		"broken": `function( {`,
	}
	f := newEngine().Functions(t.Context(), func(name string) (string, bool) { s, ok := sources[name]; return s, ok })
	defer f.Close()
	for _, c := range []struct{ name, args, want string }{
		{"tax", `500`, "50"}, {"tax", `20000`, "8000"}, {"none", `1`, ""}, {"match", `"abc", "b."`, "true"},
		{"nan", ``, "null"},
		{"context", ``, `"undefinedundefinedundefined"`},
	} {
		if v, err := f.Call(c.name, values(t, c.args)); err != nil || v.JSON() != c.want {
			t.Errorf("%s(%s): %s, %v", c.name, c.args, v.JSON(), err)
		}
	}
	if _, err := f.Call("tax", []doc.Value{{}}); err == nil || !strings.Contains(err.Error(), "Exception = no input") {
		t.Error(err)
	}
	if _, err := f.Call("unknown", nil); !errors.Is(err, ErrNoFunction) {
		t.Error(err)
	}
	_, err := f.Call("broken", nil)
	if own := (*Error)(nil); !errors.As(err, &own) || own.Reason != CompileFailed {
		t.Error(err)
	}
}

func TestQueriesInJavaScript(t *testing.T) {
	t.Parallel()
	items := []string{`{"id":"1","age":30,"name":"c","tags":["x",["y"]]}`, `{"id":"2","age":10,"name":"b","tags":[]}`,
		`{"id":"3","age":20,"name":"a","tags":["z"]}`}
	for source, want := range map[string]string{
		`__.filter(x => x.age < 25, (err, feed) => __.response.setBody(feed.map(x => x.id)))`: `["2","3"]`,
		`__.pluck('name')`: `"[\"c\",\"b\",\"a\"]"`,
		`__.chain().filter(x => x.age > 10).sortBy(x => x.age).pluck('id').value()`:                                                               `"[\"3\",\"1\"]"`,
		`__.chain().sortByDescending(x => x.name).map(x => ({n: x.name})).value({pageSize: 2}, (err, feed, o) => __.response.setBody([feed, o]))`: `[[{"n":"c"},{"n":"b"}],{"continuation":"2"}]`,
		`__.chain().pluck('tags').flatten().value()`:                                                                                              `"[\"x\",\"y\",\"z\"]"`,
		`__.chain().pluck('tags').flatten(true).value()`:                                                                                          `"[\"x\",[\"y\"],\"z\"]"`,
		`__.unwind(x => x.tags, (x, t) => x.id + t)`:                                                                                              `"[\"1x\",\"1y\",\"3z\"]"`,
		`__.response.setBody(__.filter(__, x => true, {}, () => {}))`:                                                                             `{"isAccepted":true}`,
	} {
		if got, err := execute(t, with(t, items...), "function() { "+source+" }", ""); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", source, got, err, want)
		}
	}
	for source, want := range map[string]string{
		`__.filter(1)`:                        "The predicate/transform function must be provided.",
		`__.pluck('')`:                        "The property name must be a string",
		`__.chain().filter(x => x, () => {})`: "the callback parameter can only be provided",
		`__.unwind(x => x, x => x)`:           `"resultSelector" requires two arguments.`,
		`__.filter(x => x.a.b)`:               "TypeError",
	} {
		_, err := execute(t, with(t, items...), "function() { "+source+" }", "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", source, err)
		}
	}
}

// TestQueriesInJavaScriptRejectLargePartitions queries a partition whose items are few, but more text than a script may
// get.
func TestQueriesInJavaScriptRejectLargePartitions(t *testing.T) {
	t.Parallel()
	large := &fakeCollection{}
	for i := range 2 {
		large.put(i, doc.Object(doc.Member{Name: "text", Value: doc.String(strings.Repeat("x", maxText/2))}))
	}
	_, err := execute(t, large, `function() { __.filter(x => false); }`, "")
	var own *Error
	if !errors.As(err, &own) || own.Number != codeTooLarge {
		t.Error(err)
	}
}

func BenchmarkFunction(b *testing.B) {
	f := newEngine().Functions(b.Context(), func(string) (string, bool) {
		return `function tax(c) { return c.income * 0.2; }`, true
	})
	defer f.Close()
	args := values(b,
		`{"id":"abc","income":1000,"name":"somebody","address":{"city":"x","zip":12345},"tags":["a","b","c"]}`)
	if _, err := f.Call("tax", args); err != nil { // compiles the engine, once per process
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Call("tax", args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkProcedure(b *testing.B) {
	e := newEngine()
	for b.Loop() {
		if _, err := e.Procedure(b.Context(), Procedure{Source: `function() { __.response.setBody(1); }`},
			&fakeCollection{}); err != nil {
			b.Fatal(err)
		}
	}
}
