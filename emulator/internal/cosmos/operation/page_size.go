package operation

import (
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// The page sizes of live accounts: without a size, or with 0, a page has up to 1000 rows; with -1, the service fills
// the response.
const (
	defaultPageSize  = 1000
	MaxResponseBytes = 4 << 20 // bytes ("Azure Cosmos DB service quotas", maximum response size)
)

// PageSize returns the maximum number of rows of a page; 0: as many as fit into a response.
func (r *Request) PageSize() (int, *wire.Error) {
	n, err := r.requestedPageSize()
	if err == nil && r.ShortPage {
		return 1, nil
	}
	return n, err
}

func (r *Request) requestedPageSize() (int, *wire.Error) {
	text := r.Header("X-Ms-Max-Item-Count")
	if text == "" {
		return defaultPageSize, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < -1:
		return 0, wire.ServiceError("The input PageSize %s is invalid. Ensure to pass a valid page size which must be a positive integer or -1 for a dynamic page size.",
			text)
	case n == -1:
		return 0, nil
	case n == 0:
		return defaultPageSize, nil
	}
	return n, nil
}
