package devicetoken

import (
	"net/http"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// Mount adds every route of the device token API, all under /devicetoken, to mux.
func (s *Service) Mount(mux *http.ServeMux) error {
	r := routes{
		Service: s, api: s.newAPI(mux), user: auth.Access(s.cfg.Tokens), admin: web.AdminToken(s.cfg.AdminToken,
			"device token admin"),
	}
	r.registration()
	r.devices()
	r.deletion()
	r.operators()
	r.operations()
	return r.api.MountDocs()
}
