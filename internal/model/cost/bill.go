package cost

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Month is the length of a month, 730 hours, as in AWS's calculator.
const Month = 730 * time.Hour

// Usage is the usage in a span of time.
type Usage struct {
	From  time.Time     `json:"from"`
	Span  time.Duration `json:"span"` // in nanoseconds
	Lines []Use         `json:"lines"`
	// RequestUnits are those of Cosmos DB, which are not priced.
	RequestUnits float64 `json:"requestUnits,omitempty"`
}

// Use is the usage of one kind.
type Use struct {
	Table    string `json:"table,omitempty"` // empty: the account's
	Kind     Kind   `json:"kind"`
	Quantity Amount `json:"quantity"` // in the kind's unit
}

// Options determine how a Bill is computed.
type Options struct {
	Region   string // empty: DefaultRegion
	Monthly  bool   // price a month at the usage's rate
	Internet bool   // clients are outside AWS: data sent to them is billed
	Gross    bool   // without the free tier
}

// Bill is the cost of a usage.
type Bill struct {
	Region      string        `json:"region"`
	RegionName  string        `json:"regionName"`
	Prices      string        `json:"prices" doc:"Date of the price file"`
	Currency    string        `json:"currency"`
	From        time.Time     `json:"from"`
	Span        time.Duration `json:"span" doc:"Duration of the usage in nanoseconds"`
	Monthly     bool          `json:"monthly" doc:"Whether the amounts are extrapolated to a month"`
	Lines       []Line        `json:"lines"`
	Total       Amount        `json:"total"`
	Assumptions []string      `json:"assumptions" doc:"Assumptions behind the amounts"`
}

// Line is one line of a bill. The free tier has lines of its own, with negative amounts.
type Line struct {
	Table       string `json:"table,omitempty" doc:"Absent for costs of the whole account"`
	Kind        Kind   `json:"kind"`
	What        string `json:"what"`
	Quantity    Amount `json:"quantity"`
	Unit        string `json:"unit"`
	Price       string `json:"price" doc:"In dollars, such as 0.625 per 1000000; empty if the region has no price"`
	Amount      Amount `json:"amount"`
	Source      string `json:"source,omitempty"`
	Dated       string `json:"dated,omitempty" doc:"Date of the price"`
	Unconfirmed bool   `json:"unconfirmed,omitempty" doc:"No source was found for the price"`
}

// Bill prices a usage. Errors: a monthly bill of a usage with an empty span.
func (p *Prices) Bill(u Usage, o Options) (*Bill, error) {
	id, region, err := p.Region(o.Region)
	if err != nil {
		return nil, err
	}
	if o.Monthly && u.Span <= 0 {
		return nil, fmt.Errorf("the run has no duration to extrapolate from: wait or advance the clock, or omit monthly")
	}
	b := &Bill{
		Region: id, RegionName: region.Name, Prices: p.Date, Currency: "USD",
		From: u.From, Span: u.Span, Monthly: o.Monthly, Assumptions: assumptions(o),
	}
	scale, part := Fraction(1, 1), Fraction(max(int64(u.Span), 0), int64(Month))
	if o.Monthly {
		scale, part = Fraction(int64(Month), int64(u.Span)), Fraction(1, 1)
	}
	for _, group := range grouped(u.Lines) {
		p.add(b, region, group, scale, part, o)
	}
	for _, l := range b.Lines {
		b.Total = b.Total.Add(l.Amount)
	}
	if u.RequestUnits > 0 {
		b.Assumptions = append(b.Assumptions, fmt.Sprintf("Cosmos DB is not priced: its requests consumed %s RU",
			strconv.FormatFloat(u.RequestUnits, 'f', 2, 64)))
	}
	return b, nil
}

// grouped adds up the uses by kind and table, and returns those of each kind in the order of a bill.
func grouped(all []Use) [][]Use {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b Use) int {
		_, i, _ := info(a.Kind)
		_, j, _ := info(b.Kind)
		return cmp.Or(cmp.Compare(i, j), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Table, b.Table))
	})
	var groups [][]Use
	for _, use := range sorted {
		if use.Quantity.Sign() == 0 {
			continue
		}
		if n := len(groups); n == 0 || groups[n-1][0].Kind != use.Kind {
			groups = append(groups, nil)
		}
		group := &groups[len(groups)-1]
		if n := len(*group); n > 0 && (*group)[n-1].Table == use.Table {
			(*group)[n-1].Quantity = (*group)[n-1].Quantity.Add(use.Quantity)
			continue
		}
		*group = append(*group, use)
	}
	return groups
}

// add prices the uses of one kind, and deducts the free tier; part is the share of a month's free tier.
func (p *Prices) add(b *Bill, region *Region, group []Use, scale, part Amount, o Options) {
	kind, _, _ := info(group[0].Kind)
	price := region.price(kind.kind)
	if kind.kind == TransferOut && !o.Internet {
		price = &Price{Per: Fraction(1, 1), Tiers: []Tier{{}}}
	}
	var sum Amount
	for _, use := range group {
		quantity := use.Quantity
		if !kind.oneTime {
			quantity = quantity.Mul(scale)
		}
		l := Line{Table: use.Table, Kind: kind.kind, What: kind.name, Quantity: quantity, Unit: kind.unit}
		if price == nil {
			b.Lines = append(b.Lines, l)
			continue
		}
		l.Price, l.Unconfirmed = price.text(), price.Unconfirmed
		if s := p.Sources[price.Source]; s != nil {
			l.Source, l.Dated = s.URL, s.Date
		}
		l.Amount = price.of(sum.Add(quantity)).Sub(price.of(sum))
		sum = sum.Add(quantity)
		b.Lines = append(b.Lines, l)
	}
	if price == nil || o.Gross || price.Free.Sign() == 0 {
		return
	}
	free := sum.Min(price.Free.Mul(part))
	if free.Sign() > 0 {
		b.Lines = append(b.Lines, Line{
			Kind: kind.kind, What: kind.name + ", free tier", Quantity: free, Unit: kind.unit, Price: price.text(),
			Amount: Amount{}.Sub(price.of(free)), Source: p.Sources[price.Source].URL, Dated: p.Sources[price.Source].Date,
			Unconfirmed: price.Unconfirmed,
		})
	}
}

// of returns the price of a quantity.
func (p *Price) of(quantity Amount) Amount {
	var sum, from Amount
	for _, t := range p.Tiers {
		part := quantity.Sub(from)
		if t.UpTo.Sign() > 0 {
			part = part.Min(t.UpTo.Sub(from))
		}
		if part.Sign() <= 0 {
			break
		}
		sum = sum.Add(part.Mul(t.USD).Div(p.Per))
		from = t.UpTo
	}
	return sum
}

// text returns the price for a line: that of the first tier, if there are several.
func (p *Price) text() string {
	text := p.Tiers[0].USD.String()
	if len(p.Tiers) > 1 {
		text += " and lower"
	}
	if p.Per.Cmp(Fraction(1, 1)) != 0 {
		text += " per " + p.Per.String()
	}
	return text
}

// assumptions lists what a bill assumes.
func assumptions(o Options) []string {
	all := []string{"A month is 730 hours, a GB is 2^30 bytes; reserved capacity, discounts and taxes are not included"}
	if o.Monthly {
		all = append(
			all, "The month is extrapolated from the run: its request rate and average storage; restores, imports, "+
				"exports and bulk puts are counted once")
	}
	switch {
	case o.Gross:
		all = append(all, "The free tier is ignored")
	case o.Monthly:
		all = append(all, "Assumes nothing else uses your free tier")
	default:
		all = append(all, "The free tier is prorated to the run's length")
	}
	if !o.Internet {
		all = append(all, "Clients are in the table's region, where data transfer is free")
	}
	return all
}
