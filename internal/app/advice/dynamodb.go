package advice

import "github.com/tabletop-db/tabletop/internal/model/recording"

// dynamoDB is a watcher that sees only requests to DynamoDB.
type dynamoDB struct{ watcher }

func (d dynamoDB) see(r *Request) {
	if r.Service == recording.DynamoDB {
		d.watcher.see(r)
	}
}
