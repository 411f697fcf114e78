package usage

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// Sizes measures the tables of a system and, if the system has types of items, the items by type.
func Sizes(ctx context.Context, system string, database aws.Config, prefix string) (stored []result.Stored,
	sizes []result.Size, err error) {
	systems, err := backend.Choose(system)
	if err != nil {
		return nil, nil, err
	}
	cfg, err := systems[0].RegionalConfig(database)
	if err != nil {
		return nil, nil, err
	}
	if systems[0].Store != backend.DynamoDB {
		return nil, nil, nil
	}
	client := dynamodb.NewFromConfig(cfg)
	all := systems[0].Schema(prefix).Tables
	described, err := tables.Describe(ctx, client, all)
	if err != nil {
		return nil, nil, err
	}
	found := map[string]*result.Size{}
	for _, d := range described {
		stored = append(stored, result.Stored{Table: d.Name, Items: d.Items, Bytes: d.Bytes})
		if sort := itemTypes()[system]; sort != nil {
			if err := Scan(ctx, client, d.Name, func(item map[string]types.AttributeValue) {
				add(found, sort(item), itemBytes(item))
			}); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		s := found[name]
		s.Mean = float64(s.Bytes) / float64(s.Items)
		sizes = append(sizes, *s)
	}
	return stored, sizes, nil
}

// itemTypes returns the functions that return the type of an item, by system. Systems without types of items have none.
func itemTypes() map[string]func(map[string]types.AttributeValue) string {
	return map[string]func(map[string]types.AttributeValue) string{
		"devicetoken": func(map[string]types.AttributeValue) string { return "device" },
		"kefir":       kefirItemType,
	}
}

func add(sorts map[string]*result.Size, sort string, bytes int) {
	s := sorts[sort]
	if s == nil {
		s = &result.Size{Kind: sort, Min: bytes}
		sorts[sort] = s
	}
	s.Items++
	s.Bytes += int64(bytes)
	s.Min, s.Max = min(s.Min, bytes), max(s.Max, bytes)
}

// Scan calls each for every item of a table.
func Scan(ctx context.Context, client *dynamodb.Client, table string,
	each func(map[string]types.AttributeValue)) error {
	pages := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{TableName: &table})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			each(item)
		}
	}
	return nil
}

// itemBytes returns the size of an item by the service's rules ("DynamoDB item sizes and formats"): names and values, a
// number by its significant digits, and a list or map with 3 bytes for itself plus 1 for each member.
func itemBytes(item map[string]types.AttributeValue) int {
	sum := 0
	for name, v := range item {
		sum += len(name) + valueBytes(v)
	}
	return sum
}

func valueBytes(v types.AttributeValue) int {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberN:
		return numberBytes(v.Value)
	case *types.AttributeValueMemberB:
		return len(v.Value)
	case *types.AttributeValueMemberSS:
		return total(v.Value, func(s string) int { return len(s) })
	case *types.AttributeValueMemberNS:
		return total(v.Value, numberBytes)
	case *types.AttributeValueMemberBS:
		return total(v.Value, func(b []byte) int { return len(b) })
	case *types.AttributeValueMemberL:
		return 3 + total(v.Value, func(v types.AttributeValue) int { return 1 + valueBytes(v) })
	case *types.AttributeValueMemberM:
		return 3 + len(v.Value) + itemBytes(v.Value)
	}
	return 1 // true, false and null
}

func total[T any](list []T, size func(T) int) (sum int) {
	for _, v := range list {
		sum += size(v)
	}
	return sum
}

// numberBytes returns the size of a number: about one byte for two significant digits, one for the exponent and one for
// a minus sign.
func numberBytes(text string) int {
	digits, first, last := 0, -1, -1
	for _, c := range text {
		if c == 'e' || c == 'E' {
			break
		}
		if c < '0' || c > '9' {
			continue
		}
		if digits++; c != '0' {
			first, last = cmp.Or(max(first, 0), digits), digits
		}
	}
	if first < 0 {
		return 1
	}
	bytes := (last-first+2)/2 + 1
	if text[0] == '-' {
		bytes++
	}
	return bytes
}

// kefirItemType returns the type of a kefir item, by its key.
func kefirItemType(item map[string]types.AttributeValue) string {
	sk, _ := item["SK"].(*types.AttributeValueMemberS)
	if sk == nil {
		return "other"
	}
	kind, _, _ := strings.Cut(sk.Value, "#")
	if kind == "METADATA" {
		return "user"
	}
	return strings.ToLower(kind)
}
