package access

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/wire"
)

// Recorder records the calls that a scenario's service makes to its store.
type Recorder[Call fmt.Stringer] interface {
	Calls() []Call
	Reset()
}

// RecordCalls makes the tester use the recorder that the scenario has at that time.
func RecordCalls[Call fmt.Stringer](s *Tester, recorder func() Recorder[Call]) {
	s.ResetCalls = func() { recorder().Reset() }
	s.Calls = func() (all []string) {
		for _, c := range recorder().Calls() {
			all = append(all, c.String())
		}
		return all
	}
}

// UseDynamoDB makes the tester use the calls that a scenario's service makes to DynamoDB, and the contents of these
// tables.
func (s *Tester) UseDynamoDB(w *steps.World, tables ...string) {
	RecordCalls(s, func() Recorder[wire.Call] { return w.Wire })
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
