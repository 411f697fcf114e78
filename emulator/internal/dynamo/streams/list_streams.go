package streams

import (
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// ListStreamsInput requests a page of the streams of the account, or of one table.
type ListStreamsInput struct {
	TableName               *string `check:"name,minlen=3,maxlen=255"`
	Limit                   *int32  `check:"min=1,max=100"`
	ExclusiveStartStreamArn *string `check:"minlen=37,maxlen=1024"`
}

func (in *ListStreamsInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

func (in *ListStreamsInput) Check() error {
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	if in.ExclusiveStartStreamArn == nil {
		return nil
	}
	return checkStreamARN(*in.ExclusiveStartStreamArn)
}

// checkStreamARN returns an error unless arn has the form of a stream's ARN. (scylladb/scylladb, test_streams.py, has
// tested on AWS that it is a ValidationException; the message is not confirmed.)
func checkStreamARN(arn string) error {
	if _, _, ok := splitStreamARN(arn); !ok {
		return wire.ValidationError("Invalid StreamArn")
	}
	return nil
}

// splitStreamARN returns the table name and the label in the ARN of a stream.
func splitStreamARN(arn string) (table, label string, ok bool) {
	parts := strings.SplitN(arn, ":", 6)
	if len(parts) != 6 || parts[0] != "arn" || parts[2] != "dynamodb" {
		return "", "", false
	}
	resource := strings.Split(parts[5], "/")
	if len(resource) != 4 || resource[0] != "table" || resource[2] != "stream" {
		return "", "", false
	}
	return resource[1], resource[3], true
}

type listStreamsOutput struct {
	Streams                []streamSummary
	LastEvaluatedStreamArn string `json:",omitempty"`
}

type streamSummary struct{ StreamArn, StreamLabel, TableName string }

func (out *listStreamsOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

// maxListedStreams is the most streams in one response.
const maxListedStreams = 100

// ListStreams lists the readable streams, including disabled ones, sorted by ARN.
func ListStreams(req *engine.Request, in *ListStreamsInput) (*listStreamsOutput, error) {
	out := &listStreamsOutput{Streams: []streamSummary{}}
	limit := maxListedStreams
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	all := allStreams(req.Account)
	if err := req.Budget().Step(engine.SortStepsPerName * len(all)); err != nil {
		return nil, err
	}
	for _, arn := range slices.Sorted(maps.Keys(all)) {
		st := all[arn]
		if arn <= wire.OrZero(in.ExclusiveStartStreamArn) || in.TableName != nil && st.TableName != *in.TableName ||
			st.expired(horizon(req.Engine)) {
			continue
		}
		if len(out.Streams) == limit {
			out.LastEvaluatedStreamArn = out.Streams[limit-1].StreamArn
			break
		}
		out.Streams = append(out.Streams, streamSummary{arn, st.Label, st.TableName})
	}
	return out, nil
}
