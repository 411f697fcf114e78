package workload

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// size is the size of an attribute value by DynamoDB's rules, in bytes.
func size(value map[string]any) (n int) {
	for kind, v := range value {
		switch kind {
		case "S":
			n = len(v.(string))
		case "N":
			n = (len(strings.Trim(strings.ReplaceAll(v.(string), ".", ""), "0"))+1)/2 + 1
		case "BOOL":
			n = 1
		case "M":
			n = 3
			for name, member := range v.(map[string]any) {
				n += 1 + len(name) + size(member.(map[string]any))
			}
		case "L":
			n = 3
			for _, element := range v.([]any) {
				n += 1 + size(element.(map[string]any))
			}
		}
	}
	return n
}

func TestItemSize(t *testing.T) {
	t.Parallel()
	var item map[string]map[string]any
	text := "{" + DynamoDBItem("p#"+digits(1), sortPrefix+digits(2), digits(3)) + "}"
	if err := json.Unmarshal([]byte(text), &item); err != nil {
		t.Fatal(err)
	}
	n := 0
	for name, value := range item {
		n += len(name) + size(value)
	}
	if n != ItemSize {
		t.Errorf("an item has %d bytes, not %d", n, ItemSize)
	}
	if n := len(CosmosItem("i"+digits(1), "p"+digits(1), digits(1))); n < 950 || n > 1050 {
		t.Errorf("an item of Cosmos DB has %d bytes, not 1 KB", n)
	}
}

// TestEmulatorRespondsCorrectly sends each request to an emulator, twice as a measurement would.
func TestEmulatorRespondsCorrectly(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, emulator.WithCosmosAddr("127.0.0.1:0"))
	for _, c := range []*Client{
		{Service: DynamoDB(), Addr: strings.TrimPrefix(e.DynamoDBURL(), "http://")},
		{Service: CosmosDB(), Addr: strings.Trim(strings.TrimPrefix(e.CosmosURL(), "https://"), "/")},
	} {
		conn := c.Conn()
		defer conn.Close()
		if !c.IsReady(conn) {
			t.Fatalf("%s is not ready", c.Service.Name)
		}
		if err := c.SetUp(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			for _, w := range c.Service.Workloads {
				if err := c.Verify(w); err != nil {
					t.Error(err)
				}
			}
			if err := c.Reset(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestChecksRefuseWrongResponses(t *testing.T) {
	t.Parallel()
	item := "{" + DynamoDBItem("p", "s", "b") + "}"
	for name, wrong := range map[string]struct {
		check func([]byte) error
		body  string
	}{
		"no item":         {hasItem, `{}`},
		"no attributes":   {hasAttributes, `{"Attributes":{}}`},
		"too few":         {newestFirst, `{"Count":1,"Items":[` + item + `]}`},
		"not sorted":      {newestFirst, `{"Count":20,"Items":[` + strings.Repeat(item+",", 19) + item + `]}`},
		"not a page":      {isPage, `{"Count":20,"ScannedCount":100}`},
		"no JSON":         {hasItem, `<html>`},
		"no documents":    {hasDocuments, `{"Documents":[]}`},
		"wrong documents": {hasDocuments, strings.Repeat(`"at":"0000000000"`, 20)},
	} {
		if wrong.check([]byte(wrong.body)) == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	w := Workload{Status: 200, MinLength: 3}
	if w.Acceptable(200, []byte("abc")) != nil || w.Acceptable(500, []byte("abc")) == nil ||
		w.Acceptable(200, []byte("ab")) == nil {
		t.Error("status and length are not checked")
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	s := DynamoDB()
	if n := len(s.Find(nil)); n != len(s.Workloads) {
		t.Errorf("without names, %d of %d workloads are found", n, len(s.Workloads))
	}
	if found := s.Find(map[string]bool{"get": true}); len(found) != 1 || found[0].Name != "get" {
		t.Errorf("found %v", found)
	}
}

// TestSelect checks that a name that no service has is an error, which lists those that there are.
func TestSelect(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	if err := Select(names, "get,,cosmos-read"); err != nil || len(names) != 2 || !names["get"] || !names["cosmos-read"] {
		t.Errorf("%v, %v", names, err)
	}
	for _, list := range []string{"gets", "get,gets"} {
		if err := Select(map[string]bool{}, list); err == nil || !strings.Contains(err.Error(), "get, ") {
			t.Errorf("%q: %v", list, err)
		}
	}
}
