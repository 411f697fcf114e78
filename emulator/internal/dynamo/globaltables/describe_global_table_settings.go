package globaltables

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"

// DescribeGlobalTableSettings returns an error: no global table exists.
func DescribeGlobalTableSettings(_ *engine.Request, in *GlobalTableInput) (*noOutput, error) {
	return nil, notFound("", *in.GlobalTableName)
}
