package notification

import (
	"errors"
	"net/http"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// Mount adds every route of the notification API, all under /notification, to mux.
func (s *Service) Mount(mux *http.ServeMux) error {
	switch {
	case s.cfg.Tokens == nil:
		return errors.New("notification: no token verifier: set Config.Tokens")
	case s.cfg.AdminToken == "":
		return errors.New("notification: the admin token is empty: set it, because the admin endpoints need it")
	}
	r := routes{
		Service: s, api: s.newAPI(mux), user: auth.Access(s.cfg.Tokens), admin: web.AdminToken(s.cfg.AdminToken,
			"notification admin"),
	}
	r.events()
	r.notifications()
	r.preferences()
	r.devices()
	r.administration()
	r.operations()
	return r.api.MountDocs()
}
