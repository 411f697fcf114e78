package ddb

import (
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is an item, or the members of a map.
type Item = map[string]types.AttributeValue

// Str returns a string attribute (S).
func Str[T ~string](s T) types.AttributeValue { return &types.AttributeValueMemberS{Value: string(s)} }

// Number returns a number attribute (N) of a whole number.
func Number[T ~int | ~int32 | ~int64](n T) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(int64(n), 10)}
}

// Object returns a map attribute (M).
func Object(members Item) types.AttributeValue { return &types.AttributeValueMemberM{Value: members} }

// Text returns the text of a string or number attribute, and "" for anything else.
func Text(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	}
	return ""
}

// Integer returns the value of a number attribute that is a whole number, and 0 for anything else.
func Integer(v types.AttributeValue) int64 {
	n, err := strconv.ParseInt(Text(v), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Members returns the members of a map attribute, and nil for anything else.
func Members(v types.AttributeValue) Item {
	if m, ok := v.(*types.AttributeValueMemberM); ok {
		return m.Value
	}
	return nil
}

// Marshal encodes a struct as an item, by its dynamodbav tags. It panics for a type that cannot be an item. That is a
// bug of the program: for a type that can be one, no value fails.
func Marshal(v any) Item {
	item, err := attributevalue.MarshalMap(v)
	if err != nil {
		panic(fmt.Errorf("%T cannot be stored as an item: %w", v, err))
	}
	return item
}

// Unmarshal decodes an item into the struct that to points at. Fields without an attribute keep their values, and so do
// fields whose attribute has a type that they cannot hold: one item that another program wrote must not hide the other
// items of its page.
func Unmarshal[T any](item Item, to *T) {
	decoded := *to
	if attributevalue.UnmarshalMap(item, &decoded) == nil {
		*to = decoded
		return
	}
	for name, value := range item {
		decoded = *to
		if attributevalue.UnmarshalMap(Item{name: value}, &decoded) == nil {
			*to = decoded
		}
	}
}

// DecodeAll applies decode to each item.
func DecodeAll[T any](items []Item, decode func(Item) T) []T {
	out := make([]T, 0, len(items))
	for _, i := range items {
		out = append(out, decode(i))
	}
	return out
}
