package cost

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/yamlfile"
)

//go:embed prices.yaml
var embeddedPrices []byte

// DefaultRegion is the region whose prices are used if none is named.
const DefaultRegion = "us-east-1"

// Prices is a price file.
type Prices struct {
	Date    string             `yaml:"date"` // of the file, such as 2026-11-21
	Sources map[string]*Source `yaml:"sources"`
	Regions map[string]*Region `yaml:"regions"`
}

// Source is where a price was published.
type Source struct {
	URL  string `yaml:"url" json:"url"`
	Date string `yaml:"date" json:"date"` // on which the price was read
	Note string `yaml:"note" json:"note,omitempty"`
}

// Region is the prices of a region.
type Region struct {
	Name   string          `yaml:"name"`
	SameAs string          `yaml:"same_as"` // the region whose prices it shares; then it has none of its own
	Prices map[Kind]*Price `yaml:"prices"`
}

// Price is the price of one kind of usage.
type Price struct {
	USD         Amount `yaml:"usd"`         // for Per units of the kind
	Per         Amount `yaml:"per"`         // 1 by default
	Tiers       []Tier `yaml:"tiers"`       // instead of USD, if the price depends on the quantity
	Free        Amount `yaml:"free"`        // free tier in the kind's units, per month and account
	Source      string `yaml:"source"`      // a name of Sources
	Unconfirmed bool   `yaml:"unconfirmed"` // no source was found that confirms it
}

// Tier is a price up to a quantity per month.
type Tier struct {
	UpTo Amount `yaml:"up_to"` // 0 in the last tier: no limit
	USD  Amount `yaml:"usd"`
}

// EmbeddedPrices returns Tabletop's own price file.
func EmbeddedPrices() (*Prices, error) { return ReadPrices("prices.yaml", embeddedPrices) }

// ReadPrices parses a price file. Errors are one line, with the file, the line and the remedy.
func ReadPrices(name string, text []byte) (*Prices, error) {
	var p Prices
	f, err := yamlfile.Read(name, text, &p)
	if err != nil {
		return nil, err
	}
	if !isDate(p.Date) {
		return nil, f.Errorf([]any{"date"}, "date %q: use the date of the prices, such as 2026-11-21", p.Date)
	}
	for id, s := range p.Sources {
		if s == nil || s.URL == "" || !isDate(s.Date) {
			return nil, f.Errorf([]any{"sources", id}, "the source %s needs a url and a date such as 2026-11-21", id)
		}
	}
	if len(p.Regions) == 0 {
		return nil, f.Errorf([]any{"regions"}, "no region: add one, such as us-east-1: {name: …, prices: …}")
	}
	for id := range p.Regions {
		if err := p.checkRegion(f, id); err != nil {
			return nil, err
		}
	}
	return &p, nil
}

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func (p *Prices) checkRegion(f *yamlfile.File, id string) error {
	r := p.Regions[id]
	if r == nil {
		return f.Errorf([]any{"regions", id}, "the region %s is empty: set its name and prices", id)
	}
	if r.SameAs != "" {
		same := p.Regions[r.SameAs]
		if same == nil || same.SameAs != "" || len(r.Prices) > 0 {
			return f.Errorf([]any{"regions", id, "same_as"},
				"same_as %s: name a region with its own prices, and set none here", r.SameAs)
		}
	}
	for kind, price := range r.Prices {
		path := []any{"regions", id, "prices", string(kind)}
		if _, _, known := info(kind); !known {
			return f.Errorf(path, "unknown kind %q: use one of %s", kind, join(Kinds()))
		}
		if price == nil || p.Sources[price.Source] == nil {
			return f.Errorf(path, "the price of %s needs a source: use one of %s", kind,
				strings.Join(slices.Sorted(maps.Keys(p.Sources)), ", "))
		}
		if price.Per.Sign() == 0 {
			price.Per = Fraction(1, 1)
		}
		if err := price.checkTiers(); err != nil {
			return f.Errorf(path, "%v", err)
		}
	}
	return nil
}

// checkTiers checks the tiers, and gives a price without tiers one without a limit.
func (p *Price) checkTiers() error {
	if len(p.Tiers) == 0 {
		p.Tiers = []Tier{{USD: p.USD}}
	}
	last := Amount{}
	for i, t := range p.Tiers {
		end := i == len(p.Tiers)-1
		if end != (t.UpTo.Sign() == 0) || !end && t.UpTo.Cmp(last) <= 0 {
			return fmt.Errorf("tiers must ascend: set up_to of each tier but the last, above that of the previous tier")
		}
		last = t.UpTo
	}
	return nil
}

func join(all []Kind) string {
	var text []string
	for _, k := range all {
		text = append(text, string(k))
	}
	return strings.Join(text, ", ")
}

// Region returns the prices of a region; an empty name means DefaultRegion.
func (p *Prices) Region(id string) (string, *Region, error) {
	if id == "" {
		id = DefaultRegion
	}
	r := p.Regions[id]
	if r == nil {
		return "", nil, fmt.Errorf("no prices for region %q: use one of %s, or your own price file", id,
			strings.Join(slices.Sorted(maps.Keys(p.Regions)), ", "))
	}
	if r.SameAs != "" {
		return id, &Region{Name: r.Name, Prices: p.Regions[r.SameAs].Prices}, nil
	}
	return id, r, nil
}
