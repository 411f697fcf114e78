package engine

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"

// replaceSurcharge is the extra cost of replacing an item over creating it, as a fraction of the write's charge by
// size. Live account, October 2026: 10.67 where the create cost 6.67, and 11.05 where it cost 7.05.
const replaceSurcharge = 0.8

// ChargeWrite returns the request units charged for creating or deleting an item.
func ChargeWrite(i *Item) float64 {
	return throughput.BySize(throughput.WriteFigures, i.Size()) + i.IndexingCharge
}

// ChargeReplace returns the request units charged for replacing an item.
func ChargeReplace(i *Item) float64 {
	return ChargeWrite(i) + replaceSurcharge*throughput.BySize(throughput.WriteFigures, i.Size())
}
