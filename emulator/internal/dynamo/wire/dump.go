package wire

import (
	"encoding/base64"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Some of the service's messages show a part of the request as Java prints it.

// DumpValue returns an AttributeValue as Java prints it.
func DumpValue(v item.Value) string {
	members := []struct {
		name string
		typ  item.Type
	}{
		{"s", item.String}, {"n", item.Number}, {"b", item.Binary}, {"iNT", 0}, {"dECIMAL", 0}, {"dOUBLE", 0},
		{"sS", item.StringSet}, {"nS", item.NumberSet},
		{"bS", item.BinarySet}, {"iNTSET", 0}, {"dECIMALSET", 0}, {"dOUBLESET", 0}, {"m", item.Map}, {"l", item.List},
		{"nULL", item.Null}, {"bOOL", item.Bool},
	}
	parts := make([]string, len(members))
	for i, m := range members {
		parts[i] = m.name + "=null"
		if m.typ != 0 && m.typ == v.Type() {
			parts[i] = m.name + "=" + dumpPayload(v)
		}
	}
	return "AttributeValue(" + strings.Join(parts, ", ") + ")"
}

func dumpPayload(v item.Value) string {
	switch t := v.Type(); {
	case t == item.Binary:
		return base64.StdEncoding.EncodeToString(v.Bytes())
	case t == item.Bool && !v.Bool():
		return "false"
	case t == item.Bool || t == item.Null:
		return "true"
	case t == item.Map:
		return DumpItem(v)
	case t == item.List || t.IsSet():
		var parts []string
		for e := range v.Elements() {
			if t == item.List {
				parts = append(parts, DumpValue(e))
			} else {
				parts = append(parts, dumpPayload(e))
			}
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return v.Text()
}

// DumpItem returns an item or a key as Java prints it.
func DumpItem(it item.Value) string {
	var parts []string
	for name, v := range it.Entries() {
		parts = append(parts, string(name)+"="+DumpValue(v))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
