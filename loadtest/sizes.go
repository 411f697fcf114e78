package loadtest

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/tables"
)

// Stored is what a table has as the database itself counts it, once the population is there.
type Stored struct {
	Table string `json:"table"`
	Items int64  `json:"items"`
	Bytes int64  `json:"bytes"`
}

// Size is how large the items of one sort are, in bytes as the service counts them.
type Size struct {
	Of    string  `json:"of"`
	Items int64   `json:"items"`
	Bytes int64   `json:"bytes"`
	Mean  float64 `json:"mean"`
	Least int     `json:"least"`
	Most  int     `json:"most"`
}

// sizes measures the tables of the profile's system and, where the system sorts them, their items.
func (c Config) sizes(ctx context.Context) (stored []Stored, sizes []Size, err error) {
	if c.Database == nil {
		return nil, nil, nil
	}
	systems, err := backend.Choose(c.Profile.System)
	if err != nil {
		return nil, nil, err
	}
	cfg, err := systems[0].In(c.Database.AWS)
	if err != nil {
		return nil, nil, err
	}
	if systems[0].Store != backend.DynamoDB {
		return nil, nil, nil
	}
	client := dynamodb.NewFromConfig(cfg)
	all := systems[0].Schema(c.Database.Prefix).Tables
	described, err := tables.Describe(ctx, client, all)
	if err != nil {
		return nil, nil, err
	}
	sorts := map[string]*Size{}
	for _, d := range described {
		stored = append(stored, Stored{d.Name, d.Items, d.Bytes})
		if sort := c.Profile.system().sort; sort != nil {
			if err := scan(ctx, client, d.Name, func(item map[string]types.AttributeValue) { add(sorts, sort(item), itemBytes(item)) }); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sorts)) {
		s := sorts[name]
		s.Mean = float64(s.Bytes) / float64(s.Items)
		sizes = append(sizes, *s)
	}
	return stored, sizes, nil
}

func add(sorts map[string]*Size, sort string, bytes int) {
	s := sorts[sort]
	if s == nil {
		s = &Size{Of: sort, Least: bytes}
		sorts[sort] = s
	}
	s.Items++
	s.Bytes += int64(bytes)
	s.Least, s.Most = min(s.Least, bytes), max(s.Most, bytes)
}

// scan hands out every item of a table.
func scan(ctx context.Context, client *dynamodb.Client, table string, each func(map[string]types.AttributeValue)) error {
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

// itemBytes is the size of an item by the service's rules ("DynamoDB item sizes and formats"): names and values, a number by
// its significant digits, a list or a map with 3 bytes for itself and 1 for each of its members.
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

// numberBytes is about a byte for two significant digits, one for the exponent and one for a minus.
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

// sizeMetrics are those of what is stored.
func sizeMetrics() map[string]metric {
	all := map[string]metric{
		"item_count":     {unit: "items", grows: true, stored: true, of: stored(func(s Stored) float64 { return float64(s.Items) })},
		"table_bytes":    {unit: "bytes", grows: true, stored: true, of: stored(func(s Stored) float64 { return float64(s.Bytes) })},
		"item_bytes":     {unit: "bytes in the mean", stored: true, of: stored(func(s Stored) float64 { return float64(s.Bytes) / float64(s.Items) })},
		"bytes_per_user": {unit: "bytes", stored: true, of: bytesPerUser},
	}
	for _, sort := range []string{"user", "batch", "event", "reminder", "device"} {
		all[sort+"_bytes"] = metric{unit: "bytes, the largest", stored: true, of: func(r *Report) (float64, bool) { return r.largest(sort) }}
	}
	return all
}

// stored is a metric of all tables together.
func stored(f func(Stored) float64) func(*Report) (float64, bool) {
	return func(r *Report) (float64, bool) {
		var sum Stored
		for _, s := range r.Stored {
			sum.Items, sum.Bytes = sum.Items+s.Items, sum.Bytes+s.Bytes
		}
		if sum.Items == 0 {
			return 0, false
		}
		return f(sum), true
	}
}

func bytesPerUser(r *Report) (float64, bool) {
	bytes, measured := stored(func(s Stored) float64 { return float64(s.Bytes) })(r)
	users := r.Profile.Population["users"]
	return bytes / float64(max(users, 1)), measured && users > 0
}

func (r *Report) largest(sort string) (float64, bool) {
	i := slices.IndexFunc(r.Sizes, func(s Size) bool { return s.Of == sort })
	if i < 0 {
		return 0, false
	}
	return float64(r.Sizes[i].Most), true
}
