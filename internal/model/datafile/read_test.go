package datafile_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// damage appends a byte to the only file that a pattern matches.
func damage(t *testing.T, pattern string) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) != 1 {
		t.Fatalf("%s matches %q, %v", pattern, names, err)
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(names[0], append(text, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}

// read returns what a file has, one line per record: an item in DynamoDB JSON, or the place and the reason of an
// invalid one. An error that ends the file comes last.
func read(t *testing.T, file string, o datafile.Options) (format datafile.Format, lines string) {
	t.Helper()
	var out strings.Builder
	source, err := datafile.New(strings.NewReader(file), o)
	if err != nil {
		return "", "error: " + err.Error() + "\n"
	}
	for {
		record, err := source.Next()
		var invalid *datafile.Invalid
		switch {
		case errors.Is(err, io.EOF):
			return source.Format, out.String()
		case errors.As(err, &invalid):
			out.WriteString(invalid.Error() + "\n")
		case err != nil:
			return source.Format, out.String() + "error: " + err.Error() + "\n"
		default:
			if record.Delete {
				out.WriteString("delete ")
			}
			out.Write(append(datafile.AppendDynamoJSON(nil, record.Item), '\n'))
		}
	}
}

func TestFormatsAreDetected(t *testing.T) {
	t.Parallel()
	one := `{"id":{"S":"1"}}` + "\n"
	two := one + `{"id":{"S":"2"},"n":{"N":"5"}}` + "\n"
	for _, c := range []struct {
		name, file string
		format     datafile.Format
		want       string
	}{
		{"lines", `{"id":"1"}` + "\n\r\n" + `{"id":"2","n":5}`, datafile.JSON, two},
		{"byte order mark", "\ufeff" + `{"id":"1"}`, datafile.JSON, one},
		{"array", `[{"id":"1"}, {"id":"2","n":5}]`, datafile.JSON, two},
		{"values", "{\n\"id\":\"1\"\n}\n{\n\"id\":\"2\",\"n\":5}", datafile.JSON, two},
		{"items", `{"Item":{"id":{"S":"1"}}}` + "\n" + `{"Item":{"id":{"S":"2"},"n":{"N":"5"}}}`, datafile.DynamoJSON, two},
		{"bare items", `{"id":{"S":"1"}}` + "\n" + `{"id":{"S":"2"},"n":{"N":"5"}}`, datafile.DynamoJSON, two},
		{"array of items", `[{"Item":{"id":{"S":"1"}}},{"id":{"S":"2"},"n":{"N":"5"}}]`, datafile.DynamoJSON, two},
		{"scan", "{\n \"Items\": [\n{\"id\":{\"S\":\"1\"}}, {\"id\":{\"S\":\"2\"},\"n\":{\"N\":\"5\"}}], \"Count\": 2}",
			datafile.DynamoJSON, two},
		{"requests", `{"t": [{"PutRequest":{"Item":{"id":{"S":"1"}}}}]}`, datafile.DynamoJSON, one},
		{"changes", `{"Metadata":{"WriteTimestampMicros":{"N":"1"}},"Keys":{"id":{"S":"1"}},"NewImage":{"id":{"S":"1"}}}` + "\n" +
			`{"Metadata":{"WriteTimestampMicros":{"N":"1"}},"Keys":{"id":{"S":"1"}}}`, datafile.DynamoJSON, one + "delete " + one},
		{"attribute Item", `{"Item":{"M":{"a":{"S":"1"}}}}`, datafile.DynamoJSON, `{"Item":{"M":{"a":{"S":"1"}}}}` + "\n"},
		{"CSV", "id,n:N\n1,\r\n2,5\n", datafile.CSV, two},
		{"plain objects", `{"id":{"first":"a"}}`, datafile.JSON, `{"id":{"M":{"first":{"S":"a"}}}}` + "\n"},
		{"extended JSON of MongoDB", `{"b":{"$binary":{"base64":"AA=="}}}`, datafile.JSON,
			`{"b":{"M":{"$binary":{"M":{"base64":{"S":"AA=="}}}}}}` + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if format, got := read(t, c.file, datafile.Options{}); got != c.want || format != c.format {
				t.Errorf("%s:\n%s\nwant %s:\n%s", format, got, c.format, c.want)
			}
			var packed bytes.Buffer
			w := gzip.NewWriter(&packed)
			_, _ = io.WriteString(w, c.file)
			_ = w.Close()
			if _, got := read(t, packed.String(), datafile.Options{}); got != c.want {
				t.Errorf("compressed:\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestHostileFilesAreRefused reads files that are damaged, too large, or not what they seem. Records after an invalid
// one are read.
func TestHostileFilesAreRefused(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("x", datafile.MaxRecordBytes+1)
	deep := func(levels int) string { return strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels) }
	one := `{"id":{"S":"1"}}` + "\n"
	packed := pack(`{"id":"1"}` + "\n" + strings.Repeat(`{"id":"1"}`+"\n", 50_000))
	for _, c := range []struct {
		name, file, want string
		format           datafile.Format
	}{
		{"empty", " \n", "error: the file is empty\n", ""},
		{"binary", "PK\x03\x04\x00\x00", "error: not JSON and not CSV: use a file of a supported format\n", ""},
		{"syntax", `{"id":"1"}` + "\n" + `{"id":"1",,}` + "\n" + `{"id":"1"}`,
			one + "line 2: not JSON: invalid character ',' at start of value at character 11\n" + one, ""},
		{"cut line", `{"id":"1"}` + "\n" + `{"id":`, one + "line 2: the JSON ends too early\n", ""},
		{"not an object", `{"id":"1"}` + "\n7\n" + `{"id":"1"}{"id":"2"}`,
			one + "line 2: the item is not an object\nline 3: more than one JSON value\n", ""},
		{"same name twice", `{"id":"1","id":"2"}`, "line 1: not JSON: duplicate object member name at character 11\n", ""},
		{"huge line", `{"id":"1"}` + "\n" + huge + "\n" + `{"id":"1"}`, one + "line 2: longer than 16 MB\n" + one, ""},
		{"huge element", `[{"id":"1"},` + "\n" + `{"id":"` + huge + `"}]`, one + "error: line 2: an item is longer than 16 MB\n", ""},
		{"deep", deep(201) + "\n" + `{"id":"1"}`, "line 1: nested more than 200 levels deep\n" + one, ""},
		{"very deep", deep(200_000), "line 1: nested more than 200 levels deep\n", ""},
		{"cut array", "[\n" + `{"id":"1"},`, one + "error: line 2: the JSON ends too early\n", ""},
		{"broken array", "[\n" + `{"id":"1"}` + "\n" + `{"id":"2"}]`,
			one + "error: line 3: not JSON: invalid character '{' after array element (expecting ',' or ']')\n", ""},
		{"cut gzip", packed[:len(packed)/2], "error: the compressed file is cut off: its end is missing\n", datafile.JSON},
		{"damaged gzip", "\x1f\x8b" + packed[2:20] + "\x00\x00\x00" + packed[23:],
			"error: the compressed file is damaged: its gzip data is invalid\n", datafile.JSON},
		{"no type", `{"id":{"S":"1"}}` + "\n" + `{"id":{}}` + "\n" + `{"id":{"X":"1"}}` + "\n" + `{"id":{"N":"x"}}` + "\n" +
			`{"id":{"B":"?"}}` + "\n" + `{"id":{"SS":[]}}` + "\n" + `{"id":{"S":"1","N":"2"}}` + "\n" + `{"id":{"N":1}}`,
			one + `line 2: "id" has no type: write a value such as {"S": "text"}` + "\n" +
				`line 3: "id" has the unknown type "X"` + "\n" + `line 4: "id" N "x" is not a number` + "\n" +
				`line 5: "id" B is not base64` + "\n" + `line 6: the set "id" SS is empty` + "\n" +
				`line 7: "id" has more than one type` + "\n" + `line 8: "id" N is not a string` + "\n", ""},
		{"CSV", "id,n:N,b:BOOL,s:SS\n1,x,,\n1\n1,,maybe,\n1,,,[1]\n\"1\"2,,,\n1,,,\n\"1,,",
			`line 2: "n" is not a number: "x"` + "\n" + "line 3: 1 fields, but the header has 4\n" +
				`line 4: "b" is not true or false: "maybe"` + "\n" + `line 5: "s" of type SS: "s" is not a string` + "\n" +
				"line 6: text follows a closing quote: double the quotes inside a field\n" + one + "line 8: a quote is not closed\n", ""},
		{"CSV without a name", "id,\n1,2", "error: the header of the CSV file: column 2 has no name\n", ""},
		{"CSV with a column twice", "id,id\n1,2", `error: the header of the CSV file: the column "id" is there twice` + "\n", ""},
		{"CSV with two values", "id,id:N\n1,2", `line 2: "id" has two values` + "\n", ""},
		{"CSV without an end", "id\n\"" + strings.Repeat("x\n", datafile.MaxRecordBytes/2+1),
			"error: line 2: a record is longer than 16 MB: a quote is not closed\n", ""},
		{"CSV of another encoding", "id\n\xff\n1", "line 2: not UTF-8\n" + one, ""},
		{"model", `{"DataModel":[{}]}`,
			"error: not a model of NoSQL Workbench: table 1 has no name or no partition key\n", ""},
		{"empty model", `{"DataModel":[]}`, "error: the model of NoSQL Workbench has no tables\n", ""},
		{"description", `{"Table":{"KeySchema":[]}}`,
			"error: not the description of a table: it has no TableName or no KeySchema\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, got := read(t, c.file, datafile.Options{})
			if c.format != "" { // how much is read before the damage depends on the compression
				got = got[strings.LastIndexByte(got[:len(got)-1], '\n')+1:]
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got[:min(len(got), 2000)], c.want)
			}
		})
	}
}

func pack(text string) string {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return packed.String()
}

func TestCSVTypes(t *testing.T) {
	t.Parallel()
	file := "id;age;raw;name\n7;41;AAE=;\"a \"\"b\"\"\nc\"\n8;;;\"\"\n"
	o := datafile.Options{Types: map[string]datafile.Type{"age": "N"}, Delimiter: ';',
		KeyTypes: map[string]datafile.Type{"id": "N", "raw": "B"}}
	want := `{"id":{"N":"7"},"age":{"N":"41"},"raw":{"B":"AAE="},"name":{"S":"a \"b\"\nc"}}` + "\n" +
		`{"id":{"N":"8"},"name":{"S":""}}` + "\n"
	if _, got := read(t, file, o); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBinaryKeysInPlainJSON(t *testing.T) {
	t.Parallel()
	o := datafile.Options{KeyTypes: map[string]datafile.Type{"id": "B"}}
	want := `{"id":{"B":"AAE="}}` + "\n" + `line 2: the binary key "id" is not base64` + "\n"
	if _, got := read(t, `{"id":"AAE="}`+"\n"+`{"id":"?"}`, o); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestDocumentsHaveNoMarkers checks that objects of Cosmos DB stay what they are.
func TestDocumentsHaveNoMarkers(t *testing.T) {
	t.Parallel()
	want := `{"id":{"M":{"$binary":{"S":"AAE="}}}}` + "\n"
	if _, got := read(t, `{"id":{"$binary":"AAE="}}`, datafile.Options{Documents: true}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// FuzzRead reads any file in any format: it must neither panic nor loop, and what it reads can be written and read
// again.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{"id":"1","s":{"$stringSet":["a"]}}`, `{"Item":{"id":{"N":"1"}}}`, `[{"id":1.50}]`,
		"id,n:N,s:SS\n1,2,\"[\"\"a\"\"]\"\n", `{"DataModel":[{"TableName":"t","KeyAttributes":{"PartitionKey":{"AttributeName":` +
			`"id","AttributeType":"S"}},"TableData":[{"id":{"S":"1"}}]}]}`, `{"Items":[{"id":{"S":"1"}}],"Count":1}`} {
		for i := range len(datafile.Formats()) {
			f.Add([]byte(seed), i)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, format int) {
		formats := append(datafile.Formats(), "")
		source, err := datafile.New(bytes.NewReader(file), datafile.Options{Format: formats[uint(format)%uint(len(formats))]})
		if err != nil {
			return
		}
		for {
			record, err := source.Next()
			var invalid *datafile.Invalid
			if errors.As(err, &invalid) {
				continue
			}
			if err != nil {
				return
			}
			want := datafile.AppendDynamoJSON(nil, record.Item)
			again, err := datafile.ParseJSON(datafile.AppendJSON(nil, record.Item, true), true)
			if err != nil || text(again) != text(record.Item) && !hasOddNumber(want) {
				t.Fatalf("%s became %s, %v", want, text(again), err)
			}
		}
	})
}

// hasOddNumber reports whether an item may have a number such as +1 or .5, which JSON writes in another way.
func hasOddNumber(text []byte) bool { return bytes.Contains(text, []byte(`"N`)) }

func TestEqualNumbersHaveOneIdentity(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{{"1", "1.0", "+1", "0.1e1", "10E-1", "01"}, {"0", "-0", "0.00", "0e5"},
		{"-100", "-1e2"}, {"0.5", ".5", "5e-1"}} {
		for _, text := range same {
			got := datafile.Value{Type: datafile.Number, Text: text}.Identity()
			if want := (datafile.Value{Type: datafile.Number, Text: same[0]}).Identity(); got != want {
				t.Errorf("%s is %s, but %s is %s", text, got, same[0], want)
			}
		}
	}
	one, minusOne := datafile.Value{Type: "N", Text: "1"}, datafile.Value{Type: "N", Text: "-1"}
	if one.Identity() == minusOne.Identity() {
		t.Error("1 and -1 are the same")
	}
}

// TestASlowInputIsReadAsItComes gives the first line of a file that never ends.
func TestASlowInputIsReadAsItComes(t *testing.T) {
	t.Parallel()
	in, out := io.Pipe()
	defer out.Close()
	go func() {
		_, _ = io.WriteString(out, `{"id":"1"}`+"\n")
	}()
	source, err := datafile.New(in, datafile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	record, err := source.Next()
	if err != nil || text(record.Item) != `{"id":{"S":"1"}}` {
		t.Errorf("%+v %v", record, err)
	}
}

// TestManyColumns reads and writes CSV with many columns, some of which share a name: each is found at once.
func TestManyColumns(t *testing.T) {
	t.Parallel()
	const columns = 200_000
	var header, row strings.Builder
	for i := range columns {
		fmt.Fprintf(&header, "c%d,c%d:N,", i, i)
		fmt.Fprintf(&row, "x,,")
	}
	file := header.String() + "id\n" + row.String() + "1\n" + row.String() + "2\n"
	source, err := datafile.New(strings.NewReader(file), datafile.Options{Format: datafile.CSV})
	if err != nil {
		t.Fatal(err)
	}
	out, err := datafile.NewWriter(io.Discard, datafile.CSV, []string{"id"}, false)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		record, err := source.Next()
		if err != nil || len(record.Item) != columns+1 {
			t.Fatalf("%d attributes, %v", len(record.Item), err)
		}
		if err := out.Write(record.Item); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Error(err)
	}
}
