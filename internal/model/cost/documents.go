package cost

import (
	_ "embed"

	"github.com/tabletop-db/tabletop/internal/util/yamlfile"
)

//go:embed documents.yaml
var embeddedDocuments []byte

// Document is the cost assumption of a backend's document.
type Document struct {
	ID       string          `yaml:"id"` // id in the catalogue, such as PE-C1
	Document string          `yaml:"document"`
	Says     string          `yaml:"says"` // in our words
	Prices   map[Kind]*Price `yaml:"prices"`
	Monthly  map[Kind]Amount `yaml:"monthly"` // usage per month
	Stated   *Amount         `yaml:"stated"`  // dollars per month; nil: the document states none
	Remark   string          `yaml:"remark"`
}

// Documents returns the assumptions of the backends' documents, in the order of the file.
func Documents() ([]Document, error) {
	var file struct {
		Documents []Document `yaml:"documents"`
	}
	f, err := yamlfile.Read("documents.yaml", embeddedDocuments, &file)
	if err != nil {
		return nil, err
	}
	for i, d := range file.Documents {
		for kind, price := range d.Prices {
			if price.Per.Sign() == 0 {
				price.Per = Fraction(1, 1)
			}
			if err := price.checkTiers(); err != nil {
				return nil, f.Errorf([]any{"documents", i, "prices", string(kind)}, "%v", err)
			}
		}
	}
	return file.Documents, nil
}

// Usage returns the monthly usage that the document assumes.
func (d Document) Usage() Usage {
	u := Usage{Span: Month}
	for _, kind := range Kinds() {
		if quantity := d.Monthly[kind]; quantity.Sign() > 0 {
			u.Lines = append(u.Lines, Use{Kind: kind, Quantity: quantity})
		}
	}
	return u
}

// Computed returns the monthly cost in dollars of the usage at the document's own prices.
func (d Document) Computed() Amount {
	var sum Amount
	for _, use := range d.Usage().Lines {
		if price := d.Prices[use.Kind]; price != nil {
			sum = sum.Add(price.of(use.Quantity))
		}
	}
	return sum
}
