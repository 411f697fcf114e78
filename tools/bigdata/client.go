package main

import (
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/wire"
)

// conn is a connection to the emulator. One may be in use for as long as it takes to fill a folder.
type conn struct{ wire.Conn }

func newConn(addr string) *conn { return &conn{wire.Conn{Addr: addr, Lifetime: 24 * time.Hour}} }

// expect sends a request and returns an error unless it succeeds.
func (c *conn) expect(request []byte) error {
	status, body, err := c.Do(request)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d: %s", status, body)
	}
	return err
}
