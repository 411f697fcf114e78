package access

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/wire"
)

// OnDynamoDB has the stage watch what a scenario's service asks of DynamoDB, and what these tables hold.
func (s *Stage) OnDynamoDB(w *steps.World, tables ...string) {
	s.Forget = func() { w.Wire.Reset() }
	s.Asked = func() (all []string) {
		for _, c := range w.Wire.Calls() {
			all = append(all, c.String())
		}
		return all
	}
	s.Stored = func(ctx context.Context) (all []string, err error) {
		for _, table := range tables {
			items, err := w.Items(ctx, table)
			if err != nil {
				return nil, err
			}
			for _, item := range items {
				all = append(all, table+" "+wire.Value(&types.AttributeValueMemberM{Value: item}))
			}
		}
		return all, nil
	}
}
