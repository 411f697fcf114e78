package cost

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// WriteText writes a bill as a text table.
func (b *Bill) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s, prices as of %s: %s\n", b.Region, b.Prices, b.periodText())
	fmt.Fprintln(t, "TABLE\tFOR\tQUANTITY\tUNIT\tPRICE\tAMOUNT")
	unpriced, unconfirmed := false, false
	for _, l := range b.Lines {
		price, amount := l.priceText(), l.Amount.Dollars()
		if l.Price == "" {
			price, amount, unpriced = "none", "?", true
		}
		if l.Unconfirmed {
			price, unconfirmed = price+" *", true
		}
		table := l.Table
		if table == "" {
			table = "-"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", table, l.What, l.Quantity.Readable(), l.Unit, price, amount)
	}
	fmt.Fprintf(t, "\t\t\t\ttotal\t%s\n", b.Total.Dollars())
	if err := t.Flush(); err != nil {
		return err
	}
	notes := b.Assumptions
	if unconfirmed {
		notes = append(notes[:len(notes):len(notes)], "* No source was found for this price")
	}
	if unpriced {
		notes = append(notes[:len(notes):len(notes)],
			"? The price file has no price for this region; the total does not include it")
	}
	_, err := fmt.Fprintf(w, "%s\n", strings.Join(notes, "\n"))
	return err
}

// priceText returns the price for people, such as $0.625 per 1,000,000.
func (l Line) priceText() string {
	price, per, found := strings.Cut(l.Price, " per ")
	if found {
		price += " per " + thousands.Decimal(per)
	}
	return "$" + price
}

// periodText returns the time that the bill is for.
func (b *Bill) periodText() string {
	span := b.Span.Round(time.Millisecond).String()
	if b.Monthly {
		return "one month, extrapolated from " + span
	}
	return span
}
