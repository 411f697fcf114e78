package kefir

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// update collects what an UpdateItem changes and under which condition. Every attribute goes by a placeholder of its own
// name, since many are reserved words: name, status, stage.
type update struct {
	set       map[string]types.AttributeValue
	once      map[string]types.AttributeValue // set only where the item lacks it
	remove    []string
	condition string   // placeholders #name, and :values of with
	with      ddb.Item // values of the condition
	about     []string // names that the condition has beyond those that are changed
}

// put sets a text, or removes it when it is empty.
func put[T ~string](u *update, name string, value T) {
	if value == "" {
		u.remove = append(u.remove, name)
		return
	}
	u.set[name] = ddb.Str(value)
}

func (u *update) expression() *string {
	var sets []string
	for _, name := range slices.Sorted(maps.Keys(u.set)) {
		sets = append(sets, fmt.Sprintf("#%s = :%s", name, name))
	}
	for _, name := range slices.Sorted(maps.Keys(u.once)) {
		sets = append(sets, fmt.Sprintf("#%s = if_not_exists(#%s, :%s)", name, name, name))
	}
	var parts []string
	if len(sets) > 0 {
		parts = append(parts, "SET "+strings.Join(sets, ", "))
	}
	if len(u.remove) > 0 {
		parts = append(parts, "REMOVE #"+strings.Join(u.remove, ", #"))
	}
	return aws.String(strings.Join(parts, " "))
}

func (u *update) conditionExpression() *string {
	if u.condition == "" {
		return nil
	}
	return &u.condition
}

func (u *update) names() map[string]string {
	names := map[string]string{}
	for _, all := range [][]string{slices.Collect(maps.Keys(u.set)), slices.Collect(maps.Keys(u.once)), u.remove, u.about} {
		for _, name := range all {
			names["#"+name] = name
		}
	}
	return names
}

func (u *update) values() ddb.Item {
	values := maps.Clone(u.with)
	if values == nil {
		values = ddb.Item{}
	}
	for _, all := range []ddb.Item{u.set, u.once} {
		for name, value := range all {
			values[":"+name] = value
		}
	}
	if len(values) == 0 {
		return nil
	}
	return values
}
