package kefir

import (
	"errors"
	"net/http"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// Mount adds every route of the kefir API, all under /kefir, to mux.
func (s *Service) Mount(mux *http.ServeMux) error {
	switch {
	case s.cfg.Tokens == nil:
		return errors.New("kefir: no token verifier: set Config.Tokens")
	case s.cfg.AdminToken == "":
		return errors.New("kefir: the admin token is empty: set it, because the admin endpoints need it")
	}
	r := routes{
		Service: s, api: s.newAPI(mux), user: auth.Access(s.cfg.Tokens), admin: web.AdminToken(s.cfg.AdminToken,
			"kefir admin"),
	}
	r.profile()
	r.batches()
	r.transitions()
	r.events()
	r.reminders()
	r.devices()
	r.operations()
	r.administration()
	return r.api.MountDocs()
}
