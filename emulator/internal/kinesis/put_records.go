package kinesis

import "strconv"

// putRecordsInput is the input of PutRecords.
type putRecordsInput struct {
	streamRef
	Records []recordInput
}

// The limits of one request.
const (
	maxPutRecords = 500
	maxPutBytes   = 10 << 20
)

func (in *putRecordsInput) check(v *violations) {
	in.streamRef.check(v)
	if v.Required(in.Records != nil, "records"); in.Records != nil {
		v.WithheldLength("records", len(in.Records), 1, maxPutRecords)
	}
	for i := range in.Records {
		in.Records[i].checkAt(v, "records."+strconv.Itoa(i+1)+".member.")
	}
}

type putRecordsOutput struct {
	FailedRecordCount int // always 0: either all records are appended or none
	Records           []putRecordOutput
}

func putRecords(c *call, in *putRecordsInput) (any, error) {
	bytes := 0
	for _, r := range in.Records {
		bytes += len(r.Data) + len(*r.PartitionKey)
	}
	if bytes > maxPutBytes {
		return nil, invalidArgument("Records size exceeds 10 MB limit") // the message is the emulator's own
	}
	out, err := c.putAll(in.streamRef, in.Records)
	if err != nil {
		return nil, err
	}
	return putRecordsOutput{Records: out}, nil
}
