package cost

import (
	"errors"
	"io"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// Recorded returns the usage of a recording's requests, as if every table were on demand: a recording has neither the
// billing mode nor the size of tables. Its span is from the recording's start to the last request. Requests to Cosmos
// DB only add to the request units.
func Recorded(r *recording.Reader) (Usage, error) {
	u := Usage{From: r.Header.Start}
	var streams, sent int64
	used := map[Use]Amount{}
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Usage{}, err
		}
		end := e.Time.Add(time.Duration(e.Micros) * time.Microsecond)
		u.Span = max(u.Span, end.Sub(u.From))
		if e.Service == recording.Cosmos {
			for _, c := range e.Consumed {
				u.RequestUnits += c.Units
			}
			continue
		}
		sent += int64(len(e.Answer))
		if e.Operation == "GetRecords" && e.Status == 200 {
			streams++
		}
		for _, c := range e.Consumed {
			of := Use{Table: c.Table, Kind: ReadRequests}
			if c.Write {
				of.Kind = WriteRequests
			}
			used[of] = used[of].Add(FromFloat(c.Units))
		}
	}
	for of, quantity := range used {
		of.Quantity = quantity
		u.Lines = append(u.Lines, of)
	}
	u.Lines = append(u.Lines, Use{Kind: StreamReads, Quantity: Fraction(streams, 1)},
		Use{Kind: TransferOut, Quantity: Fraction(sent, 1<<30)})
	return u, nil
}
