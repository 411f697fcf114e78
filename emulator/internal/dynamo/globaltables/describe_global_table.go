package globaltables

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"

// DescribeGlobalTable returns an error: no global table exists.
func DescribeGlobalTable(_ *engine.Request, in *GlobalTableInput) (*noOutput, error) {
	return nil, notFound("Global table not found: ", *in.GlobalTableName)
}
