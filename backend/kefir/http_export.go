package kefir

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

func exportOperation() huma.Operation {
	op := web.Operation("export", http.MethodGet, "/kefir/export.csv", "Export all your data",
		"Streams CSV with one row per item. If the connection ends early, the export is incomplete. Cells that a spreadsheet would run as formulas start with an apostrophe (KF-P15).")
	op.Responses = map[string]*huma.Response{"200": {
		Description: "All rows; the first one has the column names",
		Content:     map[string]*huma.MediaType{"text/csv": {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
	return op
}

// exportResponse sends an export. An error before the first row is a normal problem response. A later error cuts the
// connection in the middle of the chunked body, so that every client notices: the status has already been sent.
func (s *Service) exportResponse(ctx context.Context, user string) (*huma.StreamResponse, error) {
	write, err := s.beginExport(ctx, user)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", "text/csv; charset=utf-8; header=present")
		hc.SetHeader("Content-Disposition", `attachment; filename="kefir-export.csv"`)
		if err := write(deadlineWriter{hc}); err != nil {
			if ctx.Err() == nil {
				s.cfg.Logger.Error("export aborted", slog.Any("error", err))
			}
			panic(http.ErrAbortHandler)
		}
	}}, nil
}

// deadlineWriter extends the write deadline with each part that is written: a long export must not time out like a slow
// request.
type deadlineWriter struct{ huma.Context }

func (p deadlineWriter) Write(b []byte) (int, error) {
	web.ExtendWriteDeadline(p.Context)
	return p.BodyWriter().Write(b)
}
