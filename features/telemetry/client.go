package telemetry

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

var administrator = httpapi.Bearer(adminToken)

func apiKeyCredential(raw string) httpapi.Credential { return httpapi.Header("X-API-Key", raw) }

// page is a page of any listing.
type page struct {
	Devices  []deviceRecord  `json:"devices"`
	Readings []readingRecord `json:"readings"`
	APIKeys  []keyRecord     `json:"api_keys"`
	Next     string          `json:"next_cursor"`
}

func (p page) size() int { return len(p.Devices) + len(p.Readings) + len(p.APIKeys) }

// listAll reads all pages of a listing in order. The last page may be empty, because the store cannot always know that
// it has just returned the last entry.
func (w *world) listAll(ctx context.Context, as httpapi.Credential, path string, query url.Values) error {
	w.Wire.Reset()
	w.pages = nil
	const tooMany = 1000
	for range tooMany {
		w.Last = w.Send(ctx, as, http.MethodGet, path+"?"+query.Encode(), nil)
		p, err := httpapi.Decode[page](w.Last)
		if err != nil {
			return err
		}
		if p.size() > 0 {
			w.pages = append(w.pages, p)
		}
		if p.Next == "" {
			return nil
		}
		query.Set("cursor", p.Next)
	}
	return fmt.Errorf("the list does not end after %d pages", tooMany)
}
