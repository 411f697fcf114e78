package cosmos

import (
	"encoding/json"
	"io"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/history"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// History returns the handler of the operations that show and restore earlier states of containers, and clone them: a
// POST whose path is the name of the operation. It checks no signature, and fault rules and observers ignore it.
func (s *Service) History() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := s.runHistory(w, r)
		if err == nil {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(body) // fails only if the client has left
			return
		}
		w.WriteHeader(err.Status)
		_ = json.NewEncoder(w).Encode(map[string]string{"__type": "cosmos#" + err.Code, "message": err.Message})
	})
}

// runHistory runs an operation.
func (s *Service) runHistory(w http.ResponseWriter, r *http.Request) ([]byte, *wire.Error) {
	if err := s.histories.Enter(r.Context()); err != nil {
		return nil, wire.Unavailable()
	}
	defer s.histories.Leave()
	if err := s.running.Enter(r.Context()); err != nil {
		return nil, s.Internal(err)
	}
	defer s.running.Leave()
	if !s.serving() {
		return nil, wire.Unavailable()
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, history.MaxInput))
	if err != nil {
		return nil, wire.TooLarge()
	}
	return s.histories.Run(r.Context(), inflight.AccountOf(w), inflight.ProgressOf(w), r.URL.Path[1:], body)
}
