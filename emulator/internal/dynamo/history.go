package dynamo

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/history"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// historyOperations read earlier states of tables, and clone tables. They are not DynamoDB's, so clients of DynamoDB
// cannot call them.
var historyOperations = map[string]operation{
	"CloneTable": define(backup.CloneTable),
	"Difference": define(history.Difference),
	"Items":      define(history.Items),
	"Span":       define(history.Span),
	"Versions":   define(history.Versions),
}

// History returns the handler of the operations that read earlier states of tables, and of CloneTable. A request is one
// of DynamoDB's, but its path is the name of the operation. Policies decide as for the operation that reads the same of
// the present; fault rules, metrics and recordings ignore it.
func (s *Service) History() http.Handler { return historyHandler{s} }

type historyHandler struct{ *Service }

func (s historyHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path[1:]
	if err := s.histories.Enter(r.Context()); err != nil {
		return // the client has left
	}
	defer s.histories.Leave()
	x := exchanges.Get().(*exchange)
	defer x.release()
	x.request.Memory, x.unobserved, x.request.Progress = inflight.AccountOf(w), true, inflight.ProgressOf(w)
	x.fit()
	var err error
	if x.in, x.packed, err = awsapi.ReadCompressedBody(r, x.in, x.request.Memory, engine.MaxItemSize); err != nil {
		s.refuseBody(w, r, x, err)
		return
	}
	body, err := s.api.Run(name, func() ([]byte, error) { return s.run(r, x, name, historyOperations[name]) })
	status := http.StatusOK
	if err != nil {
		e := s.api.Answer(name, err)
		status, body = e.Status, e.AppendJSON(x.out[:0])
	}
	x.out = body
	x.request.Work.Close()
	x.request.Memory.Force(x.held())
	x.left = !s.write(w, r, x, status, body)
}
