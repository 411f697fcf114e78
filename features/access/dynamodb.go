package access

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/wire"
)

// Recorder has what a scenario's service asked of a store.
type Recorder[Call fmt.Stringer] interface {
	Calls() []Call
	Reset()
}

// Watch has the stage see what the recorder of the scenario has by then.
func Watch[Call fmt.Stringer](s *Stage, recorder func() Recorder[Call]) {
	s.Forget = func() { recorder().Reset() }
	s.Asked = func() (all []string) {
		for _, c := range recorder().Calls() {
			all = append(all, c.String())
		}
		return all
	}
}

// OnDynamoDB has the stage watch what a scenario's service asks of DynamoDB, and what these tables hold.
func (s *Stage) OnDynamoDB(w *steps.World, tables ...string) {
	Watch(s, func() Recorder[wire.Call] { return w.Wire })
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
