package expr

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// counterItem is an item like those of the telemetry tables.
const counterItem = `{"pk":{"S":"DEVICE#24:6f:28:aa:bb:cc"},"sk":{"S":"STATE"},"bkt":{"N":"7"},"count":{"N":"41"},` +
	`"firmware":{"S":"1.4.2"},"name":{"S":"greenhouse"},"sensors":{"M":{"t":{"N":"21.5"},"h":{"N":"40"}}},"v":{"N":"3"}}`

func counterPlaceholders() Placeholders {
	return Placeholders{
		Names: []Name{{Placeholder: "#c", Attribute: "count"}},
		Values: []Value{
			{Placeholder: ":one", Value: item.NewInt(1)}, {Placeholder: ":max", Value: item.NewInt(100)},
		},
	}
}

// A whole conditional update: parse both expressions, test, apply, and check for unused placeholders.
func BenchmarkConditionalUpdate(b *testing.B) {
	it := parseItem(b, counterItem)
	placeholders := counterPlaceholders()
	b.ReportAllocs()
	for b.Loop() {
		p := placeholders
		c, err := ParseCondition(ConditionExpression, "attribute_exists(pk) AND #c < :max", &p)
		if err != nil || !matches(c, it) {
			b.Fatal(err)
		}
		u, err := ParseUpdate("SET #c = #c + :one", &p)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := u.Apply(it, nil); err != nil || p.Unused() != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseCondition(b *testing.B) {
	p := counterPlaceholders()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseCondition(ConditionExpression, "attribute_exists(pk) AND #c < :max", &p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseUpdate(b *testing.B) {
	p := counterPlaceholders()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseUpdate("SET #c = #c + :one", &p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkApplyUpdate(b *testing.B) {
	it := parseItem(b, counterItem)
	p := counterPlaceholders()
	u, err := ParseUpdate("SET #c = #c + :one", &p)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := u.Apply(it, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFilter(b *testing.B) {
	for name, src := range map[string]string{
		"equal": "bkt = :b", "nested": "sensors.t > :b AND attribute_exists(v)", "size": "size(sensors) < :b",
	} {
		b.Run(name, func(b *testing.B) {
			it := parseItem(b, counterItem)
			p := Placeholders{Values: []Value{{Placeholder: ":b", Value: item.NewInt(7)}}}
			c, err := ParseCondition(FilterExpression, src, &p)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if !matches(c, it) {
					b.Fatal("no match")
				}
			}
		})
	}
}

func BenchmarkParseKeyCondition(b *testing.B) {
	schema := &KeySchema{Hash: []KeyAttribute{{"pk", item.String}}, Range: []KeyAttribute{{"sk", item.Number}}}
	p := Placeholders{Values: []Value{
		{Placeholder: ":d", Value: item.NewString("d")}, {Placeholder: ":a", Value: item.NewInt(1)},
		{Placeholder: ":b", Value: item.NewInt(2)},
	}}
	b.ReportAllocs()
	for b.Loop() {
		k, err := ParseKeyCondition("pk = :d AND sk BETWEEN :a AND :b", &p)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := k.Resolve(schema); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkProjection(b *testing.B) {
	it := parseItem(b, counterItem)
	p, err := ParseProjection("pk, sk, sensors.t", nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Apply(it, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func matches(c *Condition, it item.Value) bool {
	met, err := c.Match(it, nil)
	return met && err == nil
}
