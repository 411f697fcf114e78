package profile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Table is the table that a profile attacks; the zero value is one of its own with the key id and provisioned capacity.
type Table struct {
	Schema string            `yaml:"schema" json:"schema,omitempty"` // the system whose first table it is like: its keys and indexes, on demand, warmed up
	Item   map[string]string `yaml:"item" json:"item,omitempty"`     // the key attributes of its items, in which {n} stands for the item's number
}

// KeyAttribute is a text of an item's key with the item's number in it.
type KeyAttribute struct{ Name, Before, After string }

// KeyAttributes are those of the items' keys, in order: one that is called id, by default.
func (t Table) KeyAttributes() (list []KeyAttribute) {
	templates := t.Item
	if len(templates) == 0 {
		templates = map[string]string{"id": placeholder}
	}
	for _, name := range slices.Sorted(maps.Keys(templates)) {
		before, after, _ := strings.Cut(templates[name], placeholder)
		list = append(list, KeyAttribute{name, before, after})
	}
	return list
}

// Overhead is how many bytes an item has beside its padding: the attributes of its key, and the padding's name.
func (t Table) Overhead() int {
	sum := len("pad")
	for _, a := range t.KeyAttributes() {
		sum += len(a.Name) + len(a.Before) + NumberLength + len(a.After)
	}
	return sum
}

// placeholder stands for the number of an item.
const placeholder = "{n}"

// NumberLength is how many bytes the number of an item takes, with the letter before it.
const NumberLength = 9

// checkTable holds what only a profile of a table has to keep.
func checkTable(p *Profile) error {
	if err := checkItem(p); err != nil {
		return err
	}
	least := p.Table.Overhead() + 1
	if bytes := p.Population["bytes"]; bytes < least {
		return fmt.Errorf("population: %d bytes: give %d to %d", bytes, least, MaxItemBytes)
	}
	for i, part := range p.Mix {
		switch k := p.system().kinds[part.Request]; {
		case !k.Writes && part.Batch.Most > p.Population["items"]:
			return fmt.Errorf("mix %d: a %s request reads no more items than there are", i+1, part.Request)
		case k.carries > 0 && part.Only > 0:
			return fmt.Errorf("mix %d: a batch is of items that differ: remove only", i+1)
		case part.Bytes != 0 && (part.Bytes < least || part.Bytes > MaxItemBytes):
			return fmt.Errorf("mix %d: bytes: of an item that is put, %d to %d", i+1, least, MaxItemBytes)
		}
	}
	return nil
}

// checkItem holds that the attributes of a profile's items are some that JSON takes as they are, with the number in the
// first attribute of the table's key at least.
func checkItem(p *Profile) error {
	for name, template := range p.Table.Item {
		if strings.ContainsAny(name+template, "\"\\") || strings.ContainsFunc(name+template, func(r rune) bool { return r < ' ' }) || name == "" || template == "" {
			return fmt.Errorf("table: item: %s: give names and texts without quotes, backslashes and control characters", name)
		}
	}
	if p.Table.Schema != "" && len(p.Table.Item) == 0 {
		return fmt.Errorf("table: give its items' key attributes: item: {PK: \"CASE#{n}\", SK: META}")
	}
	return nil
}
