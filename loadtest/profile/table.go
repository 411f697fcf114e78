package profile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Table describes the table that a profile attacks. The zero value is a table of its own with the partition key id and
// provisioned capacity.
type Table struct {
	// the system whose first table to copy: its keys and indexes, on demand, with warm throughput
	Schema string `yaml:"schema" json:"schema,omitempty"`
	// the key attributes of its items; the item's number replaces {n}, and a text without {n} is the same for all
	Item map[string]string `yaml:"item" json:"item,omitempty"`
}

// KeyAttribute is an attribute of an item's key: the item's number between two texts, or a text that all items share.
type KeyAttribute struct {
	Name          string
	Before, After string
	Numbered      bool // whether the item's number is between Before and After
}

// AppendValue appends the value of the attribute in the item of a number.
func (a KeyAttribute) AppendValue(dst []byte, number string) []byte {
	dst = append(dst, a.Before...)
	if a.Numbered {
		dst = append(dst, number...)
	}
	return append(dst, a.After...)
}

// KeyAttributes returns the attributes of the items' keys, sorted by name. Default: one called id.
func (t Table) KeyAttributes() (list []KeyAttribute) {
	templates := t.Item
	if len(templates) == 0 {
		templates = map[string]string{"id": placeholder}
	}
	for _, name := range slices.Sorted(maps.Keys(templates)) {
		before, after, numbered := strings.Cut(templates[name], placeholder)
		list = append(list, KeyAttribute{name, before, after, numbered})
	}
	return list
}

// Overhead returns the size of an item without its padding, in bytes: the attributes of its key, and the padding's
// name.
func (t Table) Overhead() int {
	sum := len("pad")
	for _, a := range t.KeyAttributes() {
		sum += len(a.Name) + len(a.AppendValue(nil, strings.Repeat("0", NumberLength)))
	}
	return sum
}

// placeholder stands for the number of an item.
const placeholder = "{n}"

// NumberLength is the length of an item's number, in bytes, including the letter before it.
const NumberLength = 9

// checkTable checks the rules that apply only to profiles of a table.
func checkTable(p *Profile) error {
	if err := checkItem(p); err != nil {
		return err
	}
	least := p.Table.Overhead() + 1
	if bytes := p.Population["bytes"]; bytes < least {
		return fmt.Errorf("population: %d bytes: must be %d to %d", bytes, least, MaxItemBytes)
	}
	for i, part := range p.Mix {
		switch k := p.system().kinds[part.Request]; {
		case !k.Writes && part.Batch.Max > p.Population["items"]:
			return fmt.Errorf("mix %d: a %s request cannot read more items than the population has", i+1, part.Request)
		case k.maxBatch > 0 && part.Only > 0:
			return fmt.Errorf("mix %d: the items of a batch must differ; remove only", i+1)
		case part.Bytes != 0 && (part.Bytes < least || part.Bytes > MaxItemBytes):
			return fmt.Errorf("mix %d: bytes: must be %d to %d", i+1, least, MaxItemBytes)
		}
	}
	return nil
}

// checkItem rejects key attributes that JSON would have to escape or that are the same for all items, and a schema
// without key attributes.
func checkItem(p *Profile) error {
	for name, template := range p.Table.Item {
		if strings.ContainsAny(name+template, "\"\\") || strings.ContainsFunc(name+template, func(r rune) bool {
			return r < ' '
		}) || name == "" || template == "" {
			return fmt.Errorf(
				"table: item: %s: names and texts cannot be empty or contain quotes, backslashes or control characters", name)
		}
	}
	if !slices.ContainsFunc(p.Table.KeyAttributes(), func(a KeyAttribute) bool { return a.Numbered }) {
		return fmt.Errorf("table: item: all items have the same key: write {n} where the item's number belongs: item: {PK: \"CASE#{n}\", SK: META}")
	}
	if p.Table.Schema != "" && len(p.Table.Item) == 0 {
		return fmt.Errorf("table: needs the key attributes of its items, such as item: {PK: \"CASE#{n}\", SK: META}")
	}
	return nil
}
