package engine

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"

// rewriting is how much of a write's charge it costs more to replace an item than to make it. Live account, October
// 2026: 10.67 where the create cost 6.67, and 11.05 where it cost 7.05.
const rewriting = 0.8

// ChargeWrite is what it costs to make an item, or to delete it.
func ChargeWrite(i *Item) float64 {
	return throughput.BySize(throughput.WriteFigures, i.Size()) + i.Indexing
}

// ChargeReplace is what it costs to replace an item.
func ChargeReplace(i *Item) float64 {
	return ChargeWrite(i) + rewriting*throughput.BySize(throughput.WriteFigures, i.Size())
}
