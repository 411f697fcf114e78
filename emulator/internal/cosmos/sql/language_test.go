package sql_test

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/naive"
)

// container is a source of documents in creation order, from a position on.
type container struct {
	documents []doc.Value
	next      int
}

func (c *container) Next(context.Context) (doc.Value, []byte, bool, error) {
	if c.next >= len(c.documents) {
		return doc.Value{}, nil, false, nil
	}
	c.next++
	return c.documents[c.next-1], binary.BigEndian.AppendUint64(nil, uint64(c.next)), true, nil
}

func behind(state *sql.State) int {
	if state == nil || len(state.ResumeAfter) == 0 {
		return 0
	}
	return int(binary.BigEndian.Uint64(state.ResumeAfter))
}

var errEndless = errors.New("the query has no end")

// allRows runs a query page by page, each of at most size rows; 0: in one page.
func allRows(ctx context.Context, q *ast.Query, w *naive.World, size int) ([]doc.Value, error) {
	program, err := sql.Compile(q, sql.Params{Values: w.Params, Env: w.Env, UDF: w.UDF})
	if err != nil {
		return nil, err
	}
	return allPages(ctx, program, sql.Options{Rows: size}, func(state *sql.State) sql.Source {
		return &container{w.Documents, behind(state)}
	})
}

func allPages(ctx context.Context, program *sql.Program, o sql.Options, open func(*sql.State) sql.Source) ([]doc.Value,
	error) {
	var rows []doc.Value
	var state *sql.State
	for range 10_000 {
		page, err := program.Run(ctx, open(state), state, o)
		if err != nil {
			return nil, err
		}
		rows = append(rows, page.Rows...)
		if page.State == nil {
			return rows, nil
		}
		if state, err = sql.ParseState(page.State.Append(nil)); err != nil {
			return nil, err
		}
	}
	return nil, errEndless
}
