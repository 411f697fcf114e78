package kefir

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// pageTime is how long a client may take for each part of an export.
const pageTime = time.Minute

func exportOperation() huma.Operation {
	op := web.Operation("export", http.MethodGet, "/kefir/export.csv", "Export everything of yours",
		"As CSV, a row an item, sent while it is read. A connection that ends early is an export that is not whole. Cells that a spreadsheet would run as formulas begin with an apostrophe (KF-P15).")
	op.Responses = map[string]*huma.Response{"200": {
		Description: "All rows, the first with the names of the columns",
		Content:     map[string]*huma.MediaType{"text/csv": {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
	return op
}

// exportResponse sends an export. What fails before its first row is a problem like any other; what fails later cuts
// the connection, in the middle of the chunked body, so that every client notices: a status cannot be taken back.
func (s *Service) exportResponse(ctx context.Context, user string) (*huma.StreamResponse, error) {
	write, err := s.beginExport(ctx, user)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", "text/csv; charset=utf-8; header=present")
		hc.SetHeader("Content-Disposition", `attachment; filename="kefir-export.csv"`)
		if err := write(patient{hc}); err != nil {
			if ctx.Err() == nil {
				s.cfg.Logger.Error("export cut", slog.Any("error", err))
			}
			panic(http.ErrAbortHandler)
		}
	}}, nil
}

// patient gives the client time anew with each part that is written: a long export must not end as a slow request does.
type patient struct{ huma.Context }

func (p patient) Write(b []byte) (int, error) {
	_, w := humago.Unwrap(p.Context)
	// A connection without deadlines, such as a test's, needs none.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(pageTime))
	return p.BodyWriter().Write(b)
}
