package backup

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// DescribeContinuousBackups describes the point-in-time recovery of a table.
func DescribeContinuousBackups(req *engine.Request, in *control.TableInput) (*continuousBackupsOutput, error) {
	t, err := findTable(req.Account, *in.TableName)
	if err != nil {
		return nil, err
	}
	return describeRecovery(t, req.Engine.Clock.Now()), nil
}
