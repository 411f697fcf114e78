package transfer

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// toSDK converts an item for a request.
func toSDK(item datafile.Item) map[string]types.AttributeValue {
	out := make(map[string]types.AttributeValue, len(item))
	for _, a := range item {
		out[a.Name] = valueToSDK(a.Value)
	}
	return out
}

func valueToSDK(v datafile.Value) types.AttributeValue {
	switch v.Type {
	case datafile.String:
		return &types.AttributeValueMemberS{Value: v.Text}
	case datafile.Number:
		return &types.AttributeValueMemberN{Value: v.Text}
	case datafile.Binary:
		return &types.AttributeValueMemberB{Value: []byte(v.Text)}
	case datafile.Bool:
		return &types.AttributeValueMemberBOOL{Value: v.Bool}
	case datafile.StringSet:
		return &types.AttributeValueMemberSS{Value: v.Members}
	case datafile.NumberSet:
		return &types.AttributeValueMemberNS{Value: v.Members}
	case datafile.BinarySet:
		members := make([][]byte, len(v.Members))
		for i, m := range v.Members {
			members[i] = []byte(m)
		}
		return &types.AttributeValueMemberBS{Value: members}
	case datafile.List:
		list := make([]types.AttributeValue, len(v.List))
		for i, e := range v.List {
			list[i] = valueToSDK(e)
		}
		return &types.AttributeValueMemberL{Value: list}
	case datafile.Map:
		return &types.AttributeValueMemberM{Value: toSDK(v.Map)}
	}
	return &types.AttributeValueMemberNULL{Value: true}
}

// FromSDK converts an item of a response, with the key's attributes first and the others in the order of their names.
func FromSDK(item map[string]types.AttributeValue, key []string) datafile.Item {
	out := make(datafile.Item, 0, len(item))
	for name, v := range item {
		out = append(out, datafile.Attribute{Name: name, Value: valueFromSDK(v)})
	}
	out.Sort(key...)
	return out
}

func valueFromSDK(v types.AttributeValue) datafile.Value {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return datafile.Value{Type: datafile.String, Text: v.Value}
	case *types.AttributeValueMemberN:
		return datafile.Value{Type: datafile.Number, Text: v.Value}
	case *types.AttributeValueMemberB:
		return datafile.Value{Type: datafile.Binary, Text: string(v.Value)}
	case *types.AttributeValueMemberBOOL:
		return datafile.Value{Type: datafile.Bool, Bool: v.Value}
	case *types.AttributeValueMemberSS:
		return datafile.Value{Type: datafile.StringSet, Members: v.Value}
	case *types.AttributeValueMemberNS:
		return datafile.Value{Type: datafile.NumberSet, Members: v.Value}
	case *types.AttributeValueMemberBS:
		members := make([]string, len(v.Value))
		for i, m := range v.Value {
			members[i] = string(m)
		}
		return datafile.Value{Type: datafile.BinarySet, Members: members}
	case *types.AttributeValueMemberL:
		list := make([]datafile.Value, len(v.Value))
		for i, e := range v.Value {
			list[i] = valueFromSDK(e)
		}
		return datafile.Value{Type: datafile.List, List: list}
	case *types.AttributeValueMemberM:
		return datafile.Value{Type: datafile.Map, Map: FromSDK(v.Value, nil)}
	}
	return datafile.Value{Type: datafile.Null}
}
