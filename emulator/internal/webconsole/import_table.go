package webconsole

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/bulkload"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// capturedResponse is a response of a service to the console itself.
type capturedResponse struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newCapturedResponse() *capturedResponse {
	return &capturedResponse{header: http.Header{}, status: http.StatusOK}
}

// Header implements http.ResponseWriter.
func (c *capturedResponse) Header() http.Header { return c.header }

// WriteHeader implements http.ResponseWriter.
func (c *capturedResponse) WriteHeader(status int) { c.status = status }

// Write implements http.ResponseWriter.
func (c *capturedResponse) Write(body []byte) (int, error) { return c.body.Write(body) }

// serviceRefusal is the error of a request that a service, or the console itself, refused.
type serviceRefusal struct {
	status        int
	code, message string
}

// Error returns the message.
func (e *serviceRefusal) Error() string { return e.message }

// isCode reports whether an error is a refusal with one of these codes.
func isCode(err error, codes ...string) bool {
	var refused *serviceRefusal
	return errors.As(err, &refused) && slices.Contains(codes, refused.code)
}

// dynamoDB runs an operation as the user who has signed in. Errors: *serviceRefusal.
func (f *fileImport) dynamoDB(ctx context.Context, operation string, in []byte, out any) error {
	call := serviceRequest(f.request.WithContext(ctx), &url.URL{Path: "/"})
	call.Method, call.Host, call.Body, call.ContentLength = http.MethodPost, internalHost,
		io.NopCloser(bytes.NewReader(in)), int64(len(in))
	call.Header.Set("Content-Type", "application/x-amz-json-1.0")
	call.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	response := newCapturedResponse()
	if f.sign(response, f.request, call, serviceName) {
		f.AWS.ServeHTTP(response, call)
	}
	if response.status != http.StatusOK {
		return newServiceRefusal(response)
	}
	return json.Unmarshal(response.body.Bytes(), out)
}

func newServiceRefusal(response *capturedResponse) error {
	var body struct {
		Type                   string `json:"__type"`
		Message, Title, Detail string
	}
	if err := json.Unmarshal(response.body.Bytes(), &body); err != nil {
		body.Message = fmt.Sprintf("the service responded with status %d", response.status)
	}
	code := body.Type[strings.LastIndexByte(body.Type, '#')+1:]
	return &serviceRefusal{response.status, code, cmp.Or(body.Message, body.Detail, body.Title, code)}
}

// describe returns a table. Errors: *serviceRefusal.
func (f *fileImport) describe(ctx context.Context, name string) (*datafile.Schema, error) {
	schema, _, err := f.describeStatus(ctx, name)
	return schema, err
}

func (f *fileImport) describeStatus(ctx context.Context, name string) (*datafile.Schema, string, error) {
	in, err := json.Marshal(map[string]string{"TableName": name})
	if err != nil {
		return nil, "", err
	}
	var out struct {
		Table struct {
			datafile.Schema
			TableStatus string
		}
	}
	err = f.dynamoDB(ctx, "DescribeTable", in, &out)
	return &out.Table.Schema, out.Table.TableStatus, err
}

// pollInterval is the time between two looks at a table that is being created.
const pollInterval = 100 * time.Millisecond

// exists reports whether a table exists. Errors: it has another key.
func (f *fileImport) exists(ctx context.Context, s *datafile.Schema) (bool, error) {
	existing, err := f.describe(ctx, s.TableName)
	switch {
	case isCode(err, "ResourceNotFoundException"):
		return false, nil
	case err == nil && !slices.Equal(existing.Key(), s.Key()):
		return true, fmt.Errorf("table %q exists with another key: delete it, or import the file after renaming its table",
			s.TableName)
	}
	return err == nil, err
}

// create creates a table if it does not exist, and waits until it is active. It reports whether it created it.
func (f *fileImport) create(ctx context.Context, s *datafile.Schema) (created bool, err error) {
	if exists, err := f.exists(ctx, s); exists || err != nil {
		return false, err
	}
	in, err := json.Marshal(s)
	if err != nil {
		return false, err
	}
	if err := f.dynamoDB(ctx, "CreateTable", in, &struct{}{}); err != nil {
		return false, fmt.Errorf("table %q: %w", s.TableName, err)
	}
	for {
		_, status, err := f.describeStatus(ctx, s.TableName)
		if err != nil || status == "ACTIVE" {
			return true, err
		}
		if err := pause.For(ctx, pollInterval); err != nil {
			return true, err
		}
	}
}

// tableTarget writes items to tables with BatchWriteItem.
type tableTarget struct {
	*fileImport
	keys map[string]datafile.TableKey // by table
	only string                       // the table of records that name none
}

// BatchSize implements bulkload.Target.
func (t *tableTarget) BatchSize() int { return 25 }

// Key implements bulkload.Target.
func (t *tableTarget) Key(r *datafile.Record) (string, error) {
	table := cmp.Or(r.Table, t.only)
	key, err := t.keys[table].Of(r.Item)
	return table + "\x00" + key, err
}

// batchWrite is a member of BatchWriteItem: requests by table.
type batchWrite map[string][]writeRequest

type writeRequest struct {
	PutRequest    *struct{ Item json.RawMessage } `json:",omitempty"`
	DeleteRequest *struct{ Key json.RawMessage }  `json:",omitempty"`
}

// Write implements bulkload.Target.
func (t *tableTarget) Write(ctx context.Context, batch []datafile.Record) (bulkload.Result, error) {
	in := struct {
		RequestItems           batchWrite
		ReturnConsumedCapacity string
	}{batchWrite{}, "TOTAL"}
	for i := range batch {
		table := cmp.Or(batch[i].Table, t.only)
		in.RequestItems[table] = append(in.RequestItems[table], t.writeRequest(table, &batch[i]))
	}
	body, err := json.Marshal(in)
	if err != nil {
		return bulkload.Result{}, err
	}
	var out struct {
		UnprocessedItems batchWrite
		ConsumedCapacity []struct{ CapacityUnits float64 }
	}
	err = t.dynamoDB(ctx, "BatchWriteItem", body, &out)
	switch {
	case isCode(err, "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"):
		return bulkload.Result{Throttled: batch}, nil
	case isCode(err, "ValidationException", "ItemCollectionSizeLimitExceededException"):
		return bulkload.Result{}, &bulkload.Refused{Reason: err.Error()}
	case err != nil:
		return bulkload.Result{}, err
	}
	result := bulkload.Result{Throttled: t.unprocessed(batch, out.UnprocessedItems)}
	for _, c := range out.ConsumedCapacity {
		result.Cost += c.CapacityUnits
	}
	return result, nil
}

func (t *tableTarget) writeRequest(table string, r *datafile.Record) (w writeRequest) {
	if r.Delete {
		w.DeleteRequest = &struct{ Key json.RawMessage }{datafile.AppendDynamoJSON(nil, t.keys[table].Only(r.Item))}
		return w
	}
	w.PutRequest = &struct{ Item json.RawMessage }{datafile.AppendDynamoJSON(nil, r.Item)}
	return w
}

// unprocessed returns the records of the batch whose requests the service returned.
func (t *tableTarget) unprocessed(batch []datafile.Record, requests batchWrite) (all []datafile.Record) {
	returned := map[string]bool{}
	for table, list := range requests {
		for _, request := range list {
			text := json.RawMessage(nil)
			if request.PutRequest != nil {
				text = request.PutRequest.Item
			} else if request.DeleteRequest != nil {
				text = request.DeleteRequest.Key
			}
			item, err := datafile.ParseDynamoJSON(text)
			if err != nil {
				continue // the service returns what it was sent
			}
			key, _ := t.keys[table].Of(item)
			returned[table+"\x00"+key] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(batch), func(r datafile.Record) bool {
		key, _ := t.Key(&r)
		return !returned[key]
	})
}
