package emulator

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
	"github.com/tabletop-db/tabletop/emulator/internal/kinesis"
)

// kinesisStreams are the Kinesis streams that DynamoDB uses.
type kinesisStreams struct{ *kinesis.Service }

func (k kinesisStreams) OpenStream(account, arn string) (dynamo.KinesisStream, bool) {
	s, ok := k.Service.OpenStream(account, arn)
	if !ok {
		return nil, false // not a nil *kinesis.Stream in an interface
	}
	return s, true
}
