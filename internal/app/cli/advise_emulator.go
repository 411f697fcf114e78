package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/advice"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// reviewEmulator reviews the recording of a running emulator, and begins with a description of its tables.
func (f *adviseFlags) reviewEmulator(ctx context.Context) (*advice.Report, error) {
	if err := f.recordFor(ctx); err != nil {
		return nil, err
	}
	var state struct{ Started *time.Time }
	if err := f.emulator.Call(ctx, http.MethodGet, "/recording", nil, &state); err != nil {
		return nil, err
	}
	if state.Started == nil {
		return nil, command.Usagef("the emulator at %s has recorded nothing: record it with --for 1m, or name a recording",
			f.emulator.Endpoint)
	}
	tables, err := f.describeTables(ctx)
	if err != nil {
		return nil, err
	}
	body, err := f.emulator.Download(ctx, "/recording/requests")
	if err != nil {
		return nil, err
	}
	defer body.Close()
	in, err := recording.NewReader(body)
	if err != nil {
		return nil, err
	}
	return advice.Recording(in, f.region, tables...)
}

// recordFor records the emulator for the time of --for.
func (f *adviseFlags) recordFor(ctx context.Context) error {
	if f.record == 0 {
		return nil
	}
	if err := f.emulator.Call(ctx, http.MethodPost, "/recording/start", nil, nil); err != nil {
		return err
	}
	timer := time.NewTimer(f.record)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	if err := f.emulator.Call(context.WithoutCancel(ctx), http.MethodPost, "/recording/stop", nil, nil); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return command.Stoppedf(ctx, " while recording %s: tabletop advise reviews what it has recorded", f.emulator.Endpoint)
	}
	return nil
}

// describeTables returns the tables of the running emulator as they are now.
func (f *adviseFlags) describeTables(ctx context.Context) (tables []*advice.Table, err error) {
	target := targetFlags{name: string(targets.URL) + "=" + f.emulator.Endpoint}
	t, err := target.open(ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	db := dynamodb.NewFromConfig(t.Config)
	pages := dynamodb.NewListTablesPaginator(db, &dynamodb.ListTablesInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("cannot list the tables: %w", err)
		}
		for _, name := range page.TableNames {
			table, err := adviceTable(ctx, db, name)
			if err != nil {
				return nil, fmt.Errorf("cannot describe the table %s: %w", name, err)
			}
			tables = append(tables, table)
		}
	}
	return tables, nil
}

func adviceTable(ctx context.Context, db *dynamodb.Client, name string) (*advice.Table, error) {
	described, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return nil, err
	}
	ttl, err := db.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &name})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(described.Table) // its fields have the names of the wire
	if err != nil {
		return nil, err
	}
	return advice.NewTable(text, aws.ToString(ttl.TimeToLiveDescription.AttributeName)), nil
}
