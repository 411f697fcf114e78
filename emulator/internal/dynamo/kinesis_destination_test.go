package dynamo_test

import (
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/destination"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// fakeKinesis has the streams "changes" and "others" of the default account, which discard their records. Tests of the
// emulator deliver to real streams.
type fakeKinesis struct{ gate *store.Gate }

func (k fakeKinesis) OpenStream(_, arn string) (destination.Stream, bool) {
	name, ok := strings.CutPrefix(arn, "arn:aws:kinesis:us-east-1:000000000000:stream/")
	return k, ok && (name == "changes" || name == "others")
}

func (k fakeKinesis) Gate() *store.Gate                               { return k.gate }
func (fakeKinesis) Append(*store.Tx, string, []byte, time.Time) error { return nil }
func (fakeKinesis) Close()                                            {}
