package item

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// benchItem is an item of 400 bytes with the types of a sensor reading.
var benchItem = `{"pk":{"S":"d#0123456789"},"sk":{"S":"2026-01-01T00:00:00Z#0000000000"},"bkt":{"S":"0000000001"},"dev":{"S":"esp32-c3"},"temp":{"N":"21.375"},` +
	`"hum":{"N":"48.25"},"cnt":{"N":"1"},"ok":{"BOOL":true},"meta":{"M":{"fw":{"S":"2.14.3"},"bat":{"N":"3.71"}}},"tags":{"L":[{"S":"roof"},{"S":"north"}]},"pad":{"S":"` +
	strings.Repeat("k3v9x0q7", 33) + `"}}`

func BenchmarkDecode(b *testing.B) {
	b.ReportAllocs()
	doc := []byte(benchItem)
	for b.Loop() {
		r, _ := jsonread.New(doc)
		var d Decoder
		if _, err := d.Item(&r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	b.ReportAllocs()
	v, _ := ParseItem(benchItem)
	var buf []byte
	for b.Loop() {
		buf = v.AppendItem(buf[:0])
	}
}

// BenchmarkSize counts the size of an item that does not keep it.
func BenchmarkSize(b *testing.B) {
	v, _ := ParseItem(benchItem)
	for b.Loop() {
		_ = v.ItemSize()
	}
}

func BenchmarkKey(b *testing.B) {
	b.ReportAllocs()
	v, _ := ParseItem(benchItem)
	pk, _ := v.Field("pk")
	var buf []byte
	for b.Loop() {
		h := Hash(pk)
		buf = AppendKey(append(buf[:0], h[:]...), pk)
	}
}

func BenchmarkField(b *testing.B) {
	v, _ := ParseItem(benchItem)
	for b.Loop() {
		_, _ = v.Field("sk")
	}
}
