package transfer

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// newTable returns a table with the key p, a string, and the sort key c, a number.
func newTable(t testing.TB) *engine.Table {
	t.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	e := engine.NewEngine(engine.EngineConfig{Store: s, Clock: clock.Manual(time.Unix(0, 0))}, false, 1)
	return e.NewTable(&engine.Definition{
		Name: "orders", ID: 1,
		Attributes: []engine.AttributeDefinition{{AttributeName: "p", AttributeType: "S"},
			{AttributeName: "c", AttributeType: "N"}},
		KeySchema: []engine.KeySchemaElement{{AttributeName: "p", KeyType: "HASH"}, {AttributeName: "c", KeyType: "RANGE"}},
	}, func(uint32) *engine.Stats { return new(engine.Stats) })
}

// readAll reads an object. It returns the items, as the JSON of answers, and why others are missing.
func readAll(t *engine.Table, format, content string) (items, refused []string) {
	in := &ImportTableInput{InputFormat: &format}
	from, decoder := newRecords(in, t, newLineReader(strings.NewReader(content))), itemDecoder{table: t}
	for {
		record, err := from.next()
		var it item.Value
		if err == nil {
			it, err = decoder.decode(record)
		}
		var invalid *invalidItem
		switch {
		case err == io.EOF:
			return items, refused
		case errors.As(err, &invalid):
			refused = append(refused, err.Error())
		case err != nil:
			return items, append(refused, "the rest: "+err.Error())
		default:
			items = append(items, string(it.AppendItem(nil)))
		}
	}
}

// TestFormats reads objects in each format: the items, and why others are not read.
func TestFormats(t *testing.T) {
	t.Parallel()
	table := newTable(t)
	const doubled = "the rest: the row is not CSV: a double quote must be doubled, and its field be in quotes"
	for _, c := range []struct{ format, content, items, refused string }{
		{dynamoJSON, `{"Item":{"p":{"S":"a"},"c":{"N":"01.50"}},"more":[1]}`, `{"c":{"N":"1.5"},"p":{"S":"a"}}`, ""},
		{dynamoJSON, `{"Item":{"p":{"S":"a"},"c":{"N":"x"}}}`, "",
			"The parameter cannot be converted to a numeric value: x"},
		{dynamoJSON, `{"Item":{"p":{"S":"a"},"c":{"N":"1"},"s":{"SS":["a","a"]}}}`, "",
			`One or more parameter values were invalid: Input collection ["a", "a"] contains duplicates.`},
		{dynamoJSON, `{"Item":{"p":{"S":1}}}`, "",
			"the rest: the text is not DynamoDB JSON: NUMBER_VALUE cannot be converted to String"},
		{dynamoJSON, `{"p":{"S":"a"}}`, "", "the rest: the object has no member Item"},
		{dynamoJSON, `{"Item":{"p":{"S":"}\""},"c":{"N":"1"}}}{"Item":
			{"p":{"S":"b"},"c":{"N":"2"}}} x`, `{"c":{"N":"1"},"p":{"S":"}\""}}|{"c":{"N":"2"},"p":{"S":"b"}}`,
			"the rest: the text is not DynamoDB JSON"},
		{dynamoJSON, `{"Item":{"p":{"S":"a"},"c":{"N":"1"]}}`, "", "the rest: the text is not DynamoDB JSON"},
		{dynamoJSON, `{"Item":{"p":{"S":"a`, "", "the rest: the text is not DynamoDB JSON"},
		{dynamoJSON, "\xff", "", "the rest: the text is not DynamoDB JSON"},

		{ion, `$ion_1_0 {Item:{p:"a",c:6d2}}`, `{"c":{"N":"600"},"p":{"S":"a"}}`, ""},
		{ion, `{Item:{p:"a",c:-1_5.2_5d-1,},}`, `{"c":{"N":"-1.525"},"p":{"S":"a"}}`, ""},
		{ion, `$ion_1_0 {"x":$dynamodb_SS::["no"], /* the
			item */ Item:{}}`, "", "the rest: the line is not Ion text"},
		{ion, `{Item:{p:'''a''' /**/ '''b\n''',c:1.}} // end`, `{"c":{"N":"1"},"p":{"S":"ab\n"}}`, ""},
		{ion, `{Item:{p:"\x41\u00e9\U0001F991\ud83e\udd91\?",c:0.}}`, `{"c":{"N":"0"},"p":{"S":"Aé🦑🦑?"}}`, ""},
		{ion, `{Item:{p:"a",c:1.,b:{{ A A E = }},n:null.string,t:true,l:['''x''',2.,{}],m:{'a b':false}}}`,
			`{"b":{"B":"AAE="},"c":{"N":"1"},"l":{"L":[{"S":"x"},{"N":"2"},{"M":{}}]},"m":{"M":{"a b":{"BOOL":false}}},` +
				`"n":{"NULL":true},"p":{"S":"a"},"t":{"BOOL":true}}`, ""},
		{ion, `{Item:{p:other::"a",c:1.,ss:$dynamodb_SS::["b","a"],ns:'$dynamodb_NS'::[2.,1d1],bs:$dynamodb_BS::[{{AA==}}]}}`,
			`{"bs":{"BS":["AA=="]},"c":{"N":"1"},"ns":{"NS":["2","10"]},"p":{"S":"a"},"ss":{"SS":["a","b"]}}`, ""},
		{ion, `{Item:{p:"a",c:1.,s:$dynamodb_SS::[]}}`, "",
			"One or more parameter values were invalid: An string set  may not be empty"},
		{ion, `{Item:{p:"a",c:1.,s:$dynamodb_XS::[]}}`, "",
			"the rest: the annotation $dynamodb_XS is not one of a set"},
		{ion, `{Item:{p:"a",c:1e3}}`, "", "the rest: the number is not an Ion decimal"},
		{ion, `{Item:{p:a,c:1.}}`, "", `the rest: an Ion symbol is not an attribute value: "a"`},
		{ion, `{Item:{p:"\ud83e",c:1.}}`, "", "the rest: the line is not Ion text"},
		{ion, `{Item:{p:{{"clob"}},c:1.}}`, "", "the rest: an Ion clob is not an attribute value"},
		{ion, `{Item:{p:` + strings.Repeat("[", 5000), "", "the rest: the line is nested too deeply"},
		{ion, `{Item:{p:"a",c:1.,l:` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + "}}", "",
			"Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"},
		{ion, "{Item:{}", "", "the rest: the line is not Ion text"},

		{csvFormat, "c,p,v\n1,a,\n\n \n2,b,\"x\"\"y\"\n", `{"c":{"N":"1"},"p":{"S":"a"},"v":{"S":""}}|` +
			`{"c":{"N":"2"},"p":{"S":"b"},"v":{"S":"x\"y"}}`, ""},
		{csvFormat, "p,c\n\"a\nb\",1\n", `{"c":{"N":"1"},"p":{"S":"a\nb"}}`, ""},
		{csvFormat, "p,c,v\n\"a\nb\"\"\n\n\"\"c\",1,\"x\ny\"\nd,2,\n",
			`{"c":{"N":"1"},"p":{"S":"a\nb\"\n\n\"c"},"v":{"S":"x\ny"}}|{"c":{"N":"2"},"p":{"S":"d"},"v":{"S":""}}`, ""},
		{csvFormat, "p,c\na,one\nb,2", `{"c":{"N":"2"},"p":{"S":"b"}}`,
			"The parameter cannot be converted to a numeric value: one"},
		{csvFormat, "title\nx\n", "", "One or more parameter values were invalid: Missing the key p in the item"},
		{csvFormat, "p,c\na,1,2\nb,2\n", "", "the rest: the row has 3 fields instead of 2"},
		{csvFormat, "p,c\na\"b,1\nb,2\n", "", doubled},
		{csvFormat, "p,c\n\"a\"b,1\nb,2\n", "", doubled},
		{csvFormat, "p,c\n\"a,1\nb,2\n", "", doubled},
		{csvFormat, "p,c\n\xff,1\n", "", "the rest: the row is not UTF-8"},
		{csvFormat, strings.Repeat(",", maxColumns), "", "the rest: " + errColumns.Error()},
	} {
		items, refused := readAll(table, c.format, c.content)
		if got := strings.Join(items, "|"); got != c.items {
			t.Errorf("%s %.80q:\n%s, want\n%s", c.format, c.content, got, c.items)
		}
		if got := strings.Join(refused, "|"); got != c.refused {
			t.Errorf("%s %.80q:\n%s, want\n%s", c.format, c.content, got, c.refused)
		}
	}
}

// endless is a reader of one byte without an end.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// TestLongLinesAreNotHeld reads a line of 100 MB before one that is not too long.
func TestLongLinesAreNotHeld(t *testing.T) {
	t.Parallel()
	const size = 100 << 20
	l := newLineReader(io.MultiReader(io.LimitReader(endless('x'), size), strings.NewReader("\nnext")))
	if _, err := l.next(); err != errLongLine || cap(l.line) > 2*maxLine {
		t.Errorf("%v, holding %d bytes", err, cap(l.line))
	}
	if line, err := l.next(); string(line) != "next" || err != nil || l.size != size+5 {
		t.Errorf("%q, %v after %d bytes", line, err, l.size)
	}
	if _, err := l.next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// TestLongObjectsAreNotHeld is the same for JSON.
func TestLongObjectsAreNotHeld(t *testing.T) {
	t.Parallel()
	const size = 100 << 20
	l := newLineReader(io.MultiReader(strings.NewReader(`{"x":[`), io.LimitReader(endless('['), size),
		io.LimitReader(endless(']'), size), strings.NewReader(`]}{}`)))
	if _, err := l.nextObject(); err != errLongLine || cap(l.line) > 2*maxLine {
		t.Errorf("%v, holding %d bytes", err, cap(l.line))
	}
	if object, err := l.nextObject(); string(object) != "{}" || err != nil || l.size != 2*size+10 {
		t.Errorf("%q, %v after %d bytes", object, err, l.size)
	}
}

// TestWindowsAreBounded decompresses a frame that asks for a window of 1 GB.
func TestWindowsAreBounded(t *testing.T) {
	t.Parallel()
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 20 << 3, 0x01, 0x00, 0x00} // magic, descriptor, window, an empty block
	r, err := decompress(bytes.NewReader(frame), zstandard)
	if err == nil {
		_, err = io.ReadAll(r)
	}
	if !errors.Is(err, zstd.ErrWindowSizeExceeded) {
		t.Error(err)
	}
}

// FuzzFormats reads objects in any format. Whatever they contain, reading ends, and every item fits the table.
func FuzzFormats(f *testing.F) {
	for _, seed := range []string{
		`{"Item":{"p":{"S":"a"},"c":{"N":"1"}}}` + "\n\n{}", `{"Item":{"p":{"S":"a"},"c":{"N":"1"},"l":{"L":[{"M":{}}]}}}`,
		`$ion_1_0 {Item:{p:"a",c:1.5d2,b:{{AAE=}},ss:$dynamodb_SS::["b"],'x y':'''l'''/**/'''m'''}} // c`,
		`{Item:{p:"\x41\ud83e\udd91",c:-0.,n:null.string,l:[1.,[]]}}`, "p,c\n\"a\"\"b\",1\n\"x\ny\",2\n", "p;c\r\na;1\r\n",
	} {
		for format := range byte(3) {
			f.Add(format, []byte(seed))
		}
	}
	table := newTable(f)
	f.Fuzz(func(t *testing.T, format byte, content []byte) {
		items, refused := readAll(table, []string{dynamoJSON, ion, csvFormat}[format%3], string(content))
		if n := len(items) + len(refused); n > len(content) {
			t.Errorf("%d items in %q", n, content)
		}
		for _, one := range items {
			it, err := item.ParseItem(one)
			if err != nil || table.CheckItem(it) != nil {
				t.Errorf("%s: %v", one, err)
			}
		}
	})
}

// FuzzIonRoundTrip writes items as exports do and reads them as imports do.
func FuzzIonRoundTrip(f *testing.F) {
	for _, seed := range []string{`{"p":{"S":"a\u0000\u001b\r\n\"'\\"},"c":{"N":"-1.50e-7"}}`,
		`{"p":{"S":"a"},"c":{"N":"1"},"null":{"NULL":true},"a b":{"L":[{"BS":["AA=="]},{"NS":["1","2"]},{"M":{"":{"S":""}}}]}}`} {
		f.Add(seed)
	}
	table := newTable(f)
	f.Fuzz(func(t *testing.T, text string) {
		it, err := item.ParseItem(text)
		if err != nil || table.CheckItem(it) != nil {
			t.Skip("not an item of the table")
		}
		line := append(appendIonItem([]byte("$ion_1_0 {Item:"), it), "}\n"...)
		items, refused := readAll(table, ion, string(line))
		if len(items) != 1 || items[0] != string(it.AppendItem(nil)) {
			t.Errorf("%s became %q, %q", line, items, refused)
		}
	})
}

// FuzzDecompress decompresses anything, to 1 MB at most. An object of some size has content or an error.
func FuzzDecompress(f *testing.F) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte("p,c\na,1\n"))
	_ = w.Close()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][]byte{packed.Bytes(), encoder.EncodeAll([]byte("p,c\na,1\n"), nil), nil, []byte("p,c")} {
		f.Add(true, seed)
		f.Add(false, seed)
	}
	f.Fuzz(func(t *testing.T, zipped bool, content []byte) {
		compression := zstandard
		if zipped {
			compression = gzipped
		}
		r, err := decompress(bytes.NewReader(content), compression)
		if err != nil {
			return
		}
		defer r.Close()
		if n, err := io.Copy(io.Discard, io.LimitReader(r, 1<<20)); n == 0 && err == nil && len(content) > 1<<10 {
			t.Errorf("nothing is in %d bytes, and nothing is wrong with them", len(content))
		}
	})
}
